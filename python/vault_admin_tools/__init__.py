"""The command line and the emulator of vault-admin, for programs in Python.

They run in Node.js, without the runtime that the constructs need.
"""

from .emulator import Cluster, Emulator

__all__ = ["Cluster", "Emulator"]
