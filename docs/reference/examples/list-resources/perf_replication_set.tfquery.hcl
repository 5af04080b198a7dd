list "vaultadmin_perf_replication_set" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster = "us"
  }
}
