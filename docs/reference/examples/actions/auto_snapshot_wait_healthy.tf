# terraform apply -invoke=action.vaultadmin_auto_snapshot_wait_healthy.nightly
action "vaultadmin_auto_snapshot_wait_healthy" "nightly" {
  config {
    cluster = "us"
    name    = "nightly"
    timeout = "30m"
  }
}
