"""`python -m xorqa` is the command `xorqa`."""

from .cli.main import main

if __name__ == "__main__":
    main()
