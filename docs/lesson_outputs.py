"""What lessons print, for the slides: pictures and tables of the committed notebooks.

A slide asks for the third picture of lesson 2b by `![](02b:3)`, and for a table by the beginning of
its caption, on a line of its own: `[[02b: Gold passage among the first]]`, the last of several.
"""

from __future__ import annotations

import base64
import json
import re
from pathlib import Path
from typing import Any

LESSONS = Path(__file__).parents[1] / "notebooks"
_PICTURE = re.compile(r"!\[\]\(([0-9A]\d[a-z]?):(\d+)\)")
_TABLE = re.compile(r"^\[\[([0-9A]\d[a-z]?): (.*)\]\]$", re.MULTILINE)
_KIND = "image/png"


def with_outputs(text: str, folder: Path) -> str:
    """The text with the pictures (written to `folder`/images) and tables that it asks for.

    Raises:
        LookupError: if a lesson has no such picture or table.
    """

    def picture(asked: re.Match[str]) -> str:
        lesson, number = asked[1], int(asked[2])
        pictures = [output for output in _outputs(lesson) if _KIND in output.get("data", {})]
        if number > len(pictures):
            raise LookupError(f"lesson {lesson} has {len(pictures)} pictures, not {number}")
        output, path = pictures[number - 1], f"images/lesson-{lesson}-{number}.png"
        (folder / path).write_bytes(base64.b64decode("".join(output["data"][_KIND])))
        return f"![{output['metadata'][_KIND]['alt']}]({path})"

    def table(asked: re.Match[str]) -> str:
        begin = f"**{asked[2]}"
        texts = ("".join(row.get("data", {}).get("text/plain", ())) for row in _outputs(asked[1]))
        found = [text.partition("**\n\n")[2] for text in texts if text.startswith(begin)]
        if not found:
            raise LookupError(f"lesson {asked[1]} has no table '{asked[2]}'")
        return found[-1].strip()

    return _TABLE.sub(table, _PICTURE.sub(picture, text))


def _outputs(lesson: str) -> list[dict[str, Any]]:
    [path] = LESSONS.glob(f"{lesson}_*.ipynb")
    cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
    return [output for cell in cells for output in cell.get("outputs", ())]
