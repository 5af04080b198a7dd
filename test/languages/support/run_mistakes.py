"""Runs pieces of apps, and prints the last line of the traceback of each as a list in JSON.

The pieces come as a list in JSON on standard input. Each has an app of its own, which is synthesized after it.
"""

import json
import sys
import traceback

import cdktf
import cdktf_vault_admin


def scene():
    app = cdktf.App()
    stack = cdktf.TerraformStack(app, "st")
    provider = cdktf_vault_admin.ResourceProvider.VAULTADMIN
    us, eu = (
        cdktf_vault_admin.VaultCluster(
            stack, name, name=name, address=f"https://{name}.example:8200", resource_provider=provider
        )
        for name in ("us", "eu")
    )
    return {**vars(cdktf), **vars(cdktf_vault_admin), "app": app, "stack": stack, "us": us, "eu": eu}


def last_line(code):
    names = scene()
    try:
        exec(code, names)
        names["app"].synth()
    except Exception:
        return traceback.format_exc().rstrip().splitlines()[-1]
    return "no error"


print(json.dumps([last_line(code) for code in json.load(sys.stdin)]))
