data "vaultadmin_perf_replication_dynamic_filter" "eu" {
  cluster      = "us"
  secondary_id = "eu"
}

output "kept_from_eu" {
  value = data.vaultadmin_perf_replication_dynamic_filter.eu.dynamic_filtered_mounts
}
