# Proves every night that the last snapshot can be restored: the cluster loads it beside its data, and a secret is read
# from it. Nothing is restored or changed. docs/guides/pipelines.md tells what it needs.
terraform {
  required_version = ">= 1.11"
  required_providers {
    vaultadmin = { source = "vault-admin.internal/cdktf/vaultadmin" }
  }
}

variable "vault_role" {
  type = string
}

variable "id_token" {
  type      = string
  sensitive = true
  ephemeral = true
}

provider "vaultadmin" {
  clusters = {
    default = {
      address = "https://us.vault.example.com:8200"
      auth_login = {
        path       = "auth/jwt/login"
        parameters = { role = var.vault_role, jwt = var.id_token }
      }
    }
  }
}

# A snapshot of last night, and not of last month.
data "vaultadmin_auto_snapshot_status" "nightly" {
  name     = "nightly"
  interval = "24h"

  lifecycle {
    postcondition {
      condition     = self.healthy
      error_message = join("; ", self.problems)
    }
  }
}

resource "vaultadmin_snapshot_load" "nightly" {
  auto_snapshot = data.vaultadmin_auto_snapshot_status.nightly.name
  url           = data.vaultadmin_auto_snapshot_status.nightly.last_snapshot_url
}

# A secret that is in every snapshot: it has to be readable.
ephemeral "vaultadmin_recovered_secret" "canary" {
  snapshot_id = vaultadmin_snapshot_load.nightly.snapshot_id
  path        = "canary/snapshot"

  lifecycle {
    postcondition {
      condition     = self.data["value"] == "sings"
      error_message = "The canary in the snapshot is not the one that was written."
    }
  }
}
