"""Synthesizes the estate: ``cdktf deploy``, or ``python main.py`` and Terraform in ``cdktf.out/stacks/estate``.

The clusters are initialized and unsealed. ``VAULTADMIN_US_ADDR`` and ``VAULTADMIN_US_TOKEN``, and the same for EU, say where they
are, each with its root token; ``TF_VAR_hsm_pin`` is the PIN of the HSM.
"""

from cdktf import App
from estate import Estate

app = App()
Estate(app, "estate", snapshots="/opt/vault/snapshots")
app.synth()
