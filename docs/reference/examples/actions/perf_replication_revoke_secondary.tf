# terraform apply -invoke=action.vaultadmin_perf_replication_revoke_secondary.lost
action "vaultadmin_perf_replication_revoke_secondary" "lost" {
  config {
    cluster      = "us"
    secondary_id = "lost"
  }
}
