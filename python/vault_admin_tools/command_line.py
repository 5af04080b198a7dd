"""The command ``vault-admin``."""

import os
import subprocess
import sys
import typing

from .node import COMMAND_LINE, NodeNotFound, find_node


def main() -> typing.NoReturn:
    """Runs the command line with the arguments of this process, in its place."""
    try:
        command = [find_node(), str(COMMAND_LINE), *sys.argv[1:]]
    except NodeNotFound as error:
        sys.exit(f"error: {error}")
    if os.name == "posix":
        os.execv(command[0], command)
    sys.exit(subprocess.run(command, check=False).returncode)
