"""A plugin of pytest: hvac's integration tests start emulators instead of servers. The results go to the file RESULTS."""

import json
import os
import subprocess

import tests.utils
from tests.utils import create_client
from tests.utils.server_manager import ServerManager

VERSION = "1.21.0+ent"
tests.utils.get_vault_version_string.cache = VERSION

_emulators = {}


def _start(manager):
    process = subprocess.Popen(
        [
            os.environ["NODE"],
            os.environ["EMULATOR"],
            "emulator",
            "--json",
            "--stored-mounts",
            "--server-version",
            VERSION,
            "--audit-folder",
            "/tmp",
        ],
        stdout=subprocess.PIPE,
        text=True,
    )
    cluster = json.loads(process.stdout.readline())["clusters"]["default"]
    _emulators[id(manager)] = (process, cluster)
    manager.client = create_client(url=cluster["address"])


def _initialize(manager):
    cluster = _emulators[id(manager)][1]
    manager.root_token = manager.client.token = cluster["root_token"]
    manager.keys = [cluster["unseal_key"]]


def _stop(manager):
    manager.client = None
    process, _ = _emulators.pop(id(manager), (None, None))
    if process is not None:
        process.kill()
        process.wait()
        process.stdout.close()


ServerManager.start = _start
ServerManager.initialize = _initialize
ServerManager.stop = _stop
ServerManager.unseal = lambda manager: manager.client.sys.submit_unseal_keys(manager.keys)
ServerManager.get_active_vault_addresses = lambda manager: [_emulators[id(manager)][1]["address"]]


def pytest_runtest_logreport(report):
    counts = report.when == "call" or report.outcome != "passed"
    if not counts or (report.when == "teardown" and report.outcome == "passed"):
        return
    with open(os.environ["RESULTS"], "a", encoding="utf8") as file:
        why = str(report.longrepr)[-700:] if report.outcome == "failed" else ""
        file.write(json.dumps({"name": report.nodeid, "outcome": report.outcome, "why": why}) + "\n")
