"""Read arrays of numbers."""

from pathlib import Path
from tokenize import TokenError
from typing import Any

import numpy as np
from numpy.typing import NDArray


def read_array(path: Path) -> NDArray[Any]:
    """The array of an `.npy` file.

    Raises:
        OSError, EOFError, ValueError: if it cannot be read or is damaged.
    """
    try:
        array: NDArray[Any] = np.load(path, allow_pickle=False)
    except (SyntaxError, TokenError) as error:  # NumPy reads the header as Python
        raise ValueError(f"{path.name} has a damaged header") from error
    return array
