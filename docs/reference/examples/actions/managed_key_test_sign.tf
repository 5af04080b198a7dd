# terraform apply -invoke=action.vaultadmin_managed_key_test_sign.signing
action "vaultadmin_managed_key_test_sign" "signing" {
  config {
    cluster = "us"
    name    = "signing"
    use_pss = true
  }
}
