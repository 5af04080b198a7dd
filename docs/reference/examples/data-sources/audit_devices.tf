data "vaultadmin_audit_devices" "all" {
  cluster = "us"
}

# A cluster without an audit device fails the check.
check "audited" {
  assert {
    condition     = length(data.vaultadmin_audit_devices.all.names) > 0
    error_message = "Cluster us has no audit device."
  }
}
