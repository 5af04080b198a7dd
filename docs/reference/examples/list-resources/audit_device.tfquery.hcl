list "vaultadmin_audit_device" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster = "us"
  }
}
