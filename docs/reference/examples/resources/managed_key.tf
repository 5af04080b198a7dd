variable "hsm_pin" {
  type      = string
  sensitive = true
  ephemeral = true
}

# Generated in the HSM by the first signature.
resource "vaultadmin_managed_key" "signing" {
  cluster            = "us"
  name               = "signing"
  usages             = ["sign", "verify"]
  allow_generate_key = true

  pkcs11 {
    library        = "hsm"
    token_label    = "vault"
    key_label      = "signing"
    mechanism      = "0x000D"
    key_bits       = 3072
    pin_wo         = var.hsm_pin
    pin_wo_version = 1
  }

  test_sign {
    use_pss = true
  }
}

# Credentials come from the server's own environment.
resource "vaultadmin_managed_key" "codesign" {
  cluster = "us"
  name    = "codesign"

  awskms {
    kms_key  = "alias/codesign"
    key_type = "ECDSA"
    curve    = "P256"
    region   = "eu-west-1"
  }
}
