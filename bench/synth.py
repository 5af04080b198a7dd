"""Synthesizes policies: ``python synth.py ours|prebuilt COUNT FOLDER``."""

import sys

from cdktf import App, TerraformStack

contender, count, folder = sys.argv[1:]
app = App(outdir=folder)
stack = TerraformStack(app, "policies")


def policy(index: int) -> str:
    return f'path "secret/data/team-{index}/*" {{\n  capabilities = ["read", "list"]\n}}\n'


if contender == "ours":
    from cdktf_vault_admin import AclPolicy, PolicyDocument, VaultCluster

    cluster = VaultCluster(stack, "Cluster", address="https://vault.example.com:8200")
    for index in range(int(count)):
        document = PolicyDocument.from_text(policy(index))
        AclPolicy(stack, f"Policy{index}", cluster=cluster, policy_name=f"policy-{index}", document=document)
else:
    from cdktf_cdktf_provider_vault.policy import Policy
    from cdktf_cdktf_provider_vault.provider import VaultProvider

    VaultProvider(stack, "Vault", address="https://vault.example.com:8200")
    for index in range(int(count)):
        Policy(stack, f"Policy{index}", name=f"policy-{index}", policy=policy(index))

app.synth()
