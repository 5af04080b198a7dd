"""What the tests of the estate share."""

import os
import pathlib
import subprocess
import typing

import pytest


@pytest.fixture
def emulator_clusters() -> typing.Sequence[str]:
    """The names of the clusters that the fixture ``emulator`` starts."""
    return ["us", "eu"]


class Terraform:
    """Terraform, in the folder of a stack."""

    def __init__(self, folder: pathlib.Path, variables: typing.Mapping[str, str]) -> None:
        self._folder = folder
        self._environment = {**os.environ, **variables, "CHECKPOINT_DISABLE": "1"}

    def run(self, *arguments: str, accepted: typing.Collection[int] = (0,)) -> int:
        """Returns the exit code, which is one of the accepted ones."""
        done = subprocess.run(
            ["terraform", *arguments],
            cwd=self._folder,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode in accepted, done.stdout + done.stderr
        return done.returncode
