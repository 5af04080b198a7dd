resource "vaultadmin_perf_replication_primary" "us" {
  cluster              = "us"
  primary_cluster_addr = "https://vault-replication.us.example.com:8201"
}
