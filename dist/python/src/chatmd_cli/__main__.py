"""``python -m chatmd_cli`` runs ``chatmd``."""

import os
import subprocess
import sys

from chatmd_cli import find_chatmd_bin


def main() -> None:
    """Runs the program with the same arguments and ends with its exit code."""
    arguments = [find_chatmd_bin(), *sys.argv[1:]]
    if os.name == "nt":
        sys.exit(subprocess.run(arguments, check=False).returncode)
    os.execv(arguments[0], arguments)


if __name__ == "__main__":
    main()
