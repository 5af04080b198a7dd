data "vaultadmin_perf_replication_status" "us" {
  cluster = "us"
}

output "secondaries" {
  value = data.vaultadmin_perf_replication_status.us.known_secondaries
}
