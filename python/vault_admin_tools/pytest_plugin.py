"""Fixtures for pytest. They are there as soon as this package is installed."""

import typing

import pytest

from .emulator import Emulator


@pytest.fixture
def emulator_clusters() -> typing.Sequence[str]:
    """The names of the clusters of ``emulator``. A fixture of the same name in a test file or ``conftest.py`` replaces it."""
    return ["default"]


@pytest.fixture
def emulator(emulator_clusters: typing.Sequence[str]) -> typing.Iterator[Emulator]:
    """An emulated Vault Enterprise of its own for each test that asks for it."""
    with Emulator(*emulator_clusters) as running:
        yield running
