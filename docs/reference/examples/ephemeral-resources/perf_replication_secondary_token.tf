# cluster_id delays the token until the primary exists, secondary_id until the filter does: the secondary never receives
# what the filter holds back.
ephemeral "vaultadmin_perf_replication_secondary_token" "eu" {
  cluster              = "us"
  cluster_id           = vaultadmin_perf_replication_primary.us.cluster_id
  secondary_id         = vaultadmin_perf_replication_paths_filter.eu.secondary_id
  secondary_public_key = ephemeral.vaultadmin_perf_replication_public_key.eu.secondary_public_key
}
