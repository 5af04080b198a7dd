"""An emulated Vault Enterprise for tests: one or more clusters on this machine, in memory."""

import dataclasses
import json
import subprocess
import types
import typing

from .node import COMMAND_LINE, find_node


@dataclasses.dataclass(frozen=True)
class Cluster:
    """A cluster of an emulator."""

    name: str
    #: Where it listens: ``http://127.0.0.1:40123``.
    address: str
    #: Its root token.
    root_token: str


class Emulator:
    """An emulated Vault Enterprise, from its start until it is closed.

    It can be used in a ``with`` statement, which closes it at the end::

        with Emulator("us", "eu") as emulator:
            print(emulator.clusters["us"].address)
    """

    #: The clusters by their names.
    clusters: typing.Mapping[str, Cluster]

    def __init__(self, *names: str, options: typing.Sequence[str] = ()) -> None:
        """Starts an emulator, and waits until its clusters listen.

        :param names: the names of the clusters. Default: one cluster ``default``.
        :param options: further options of ``vault-admin emulator``, such as ``["--server-version", "1.16.3+ent"]``.
        :raises RuntimeError: if it does not start; what it printed is the message.
        """
        command = [find_node(), str(COMMAND_LINE), "emulator", "--json"]
        for name in names:
            command += ["--cluster", name]
        self._process = subprocess.Popen(
            [*command, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        try:
            self.clusters = self._wait()
        except BaseException:
            self.close()
            raise

    @property
    def cluster(self) -> Cluster:
        """The only cluster, or the one that was named first."""
        return next(iter(self.clusters.values()))

    @property
    def environment(self) -> typing.Dict[str, str]:
        """The variables by which the provider ``vaultadmin`` and ``vault-admin`` find the clusters, with their root tokens."""
        variables: typing.Dict[str, str] = {}
        for name, cluster in self.clusters.items():
            prefix = "VAULT" if name == "default" else f"VAULTADMIN_{_in_variables(name)}"
            variables[f"{prefix}_ADDR"] = cluster.address
            variables[f"{prefix}_TOKEN"] = cluster.root_token
        return variables

    def close(self) -> None:
        """Stops the emulator. What it held is gone."""
        if self._process.poll() is None:
            self._process.terminate()
        self._process.communicate()

    def __enter__(self) -> "Emulator":
        return self

    def __exit__(
        self,
        kind: typing.Optional[typing.Type[BaseException]],
        error: typing.Optional[BaseException],
        trace: typing.Optional[types.TracebackType],
    ) -> None:
        self.close()

    def _wait(self) -> typing.Mapping[str, Cluster]:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if line == "":
            problem = self._process.stderr.read() if self._process.stderr else ""
            raise RuntimeError(f"the emulator did not start: {problem.strip()}")
        return {
            name: Cluster(name, cluster["address"], cluster["root_token"])
            for name, cluster in json.loads(line)["clusters"].items()
        }


def _in_variables(name: str) -> str:
    return "".join(letter if letter.isalnum() and letter.isascii() else "_" for letter in name).upper()
