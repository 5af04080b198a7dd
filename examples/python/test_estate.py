"""Tests of the estate: what is synthesized, and what becomes of it on an emulator."""

import json
import pathlib

from cdktf import App, Testing
from cdktf_vault_admin_tools import Emulator
from conftest import Terraform
from estate import Estate


def test_the_reader_may_read_and_nothing_else() -> None:
    stack = json.loads(Testing.synth(Estate(Testing.app(), "estate", snapshots="/opt/vault/snapshots")))
    policy = stack["resource"]["vaultadmin_acl_policy"]["Reader"]["policy"]
    assert policy == 'path "secret/data/app/*" {\n  capabilities = ["read"]\n}\n'


def test_an_apply_makes_the_estate_and_the_next_one_changes_nothing(emulator: Emulator, tmp_path: pathlib.Path) -> None:
    app = App(outdir=str(tmp_path / "cdktf.out"))
    Estate(app, "estate", snapshots=str(tmp_path / "snapshots"))
    app.synth()

    variables = {**emulator.environment, "TF_VAR_hsm_pin": "1234"}
    terraform = Terraform(tmp_path / "cdktf.out" / "stacks" / "estate", variables)
    terraform.run("init", "-input=false")
    terraform.run("apply", "-input=false", "-auto-approve")
    unchanged = 0
    assert terraform.run("plan", "-input=false", "-detailed-exitcode", accepted=(0, 2)) == unchanged
