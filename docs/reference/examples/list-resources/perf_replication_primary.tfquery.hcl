list "vaultadmin_perf_replication_primary" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster = "us"
  }
}
