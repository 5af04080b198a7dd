# Warns at every plan as long as a configuration does not work.
check "snapshots" {
  data "vaultadmin_auto_snapshot_status" "nightly_health" {
    cluster    = "us"
    name       = "nightly"
    max_errors = 2
  }

  assert {
    condition     = data.vaultadmin_auto_snapshot_status.nightly_health.healthy
    error_message = join("; ", data.vaultadmin_auto_snapshot_status.nightly_health.problems)
  }
}
