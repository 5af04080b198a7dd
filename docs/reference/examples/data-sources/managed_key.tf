data "vaultadmin_managed_key" "signing" {
  cluster = "us"
  name    = "signing"
}

output "signing_key_uuid" {
  value = data.vaultadmin_managed_key.signing.uuid
}
