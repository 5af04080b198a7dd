resource "vaultadmin_perf_replication_paths_filter" "eu" {
  cluster      = vaultadmin_perf_replication_primary.us.cluster
  secondary_id = "eu"
  mode         = "deny"
  paths        = ["secret/us-only/", "auth/us-ldap/", "us-team/"]
}
