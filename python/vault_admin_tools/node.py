"""Where Node.js is, which all of vault-admin runs in."""

import os
import pathlib
import shutil

COMMAND_LINE = pathlib.Path(__file__).parent / "vault-admin.js"


class NodeNotFound(RuntimeError):
    """There is no Node.js to be found."""

    def __init__(self) -> None:
        super().__init__(
            'Node.js was not found: there is no "node" in the PATH, and JSII_NODE is not set; '
            "install Node.js 20.18 or newer, or set JSII_NODE to its executable"
        )


def find_node() -> str:
    """Returns the executable that the constructs are run with as well.

    :raises NodeNotFound: if there is none.
    """
    found = shutil.which(os.environ.get("JSII_NODE") or "node")
    if found is None:
        raise NodeNotFound()
    return found
