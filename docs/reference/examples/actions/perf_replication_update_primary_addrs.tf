# terraform apply -invoke=action.vaultadmin_perf_replication_update_primary_addrs.eu
action "vaultadmin_perf_replication_update_primary_addrs" "eu" {
  config {
    cluster   = "eu"
    addresses = ["https://us.example.com:8201"]
  }
}
