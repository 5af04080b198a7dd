terraform {
  required_providers {
    vaultadmin = {
      source = "vault-admin.internal/cdktf/vaultadmin"
    }
  }
}

variable "secret_id" {
  type      = string
  sensitive = true
  ephemeral = true
}

# Two clusters. The token of eu comes from VAULTADMIN_EU_TOKEN.
provider "vaultadmin" {
  clusters = {
    us = {
      address      = "https://vault.us.example.com:8200"
      ca_cert_file = "/etc/ssl/vault-ca.pem"
      auth_login = {
        path = "auth/approle/login"
        parameters = {
          role_id   = "f0b5fa8f-7c2a-4c55-a0f1-3d4b1c2e9a10"
          secret_id = var.secret_id
        }
      }
    }
    eu = {
      address = "https://vault.eu.example.com:8200"
    }
  }
}
