list "vaultadmin_perf_replication_paths_filter" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster = "us"
  }
}
