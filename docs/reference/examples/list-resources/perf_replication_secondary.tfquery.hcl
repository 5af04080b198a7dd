list "vaultadmin_perf_replication_secondary" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster = "eu"
  }
}
