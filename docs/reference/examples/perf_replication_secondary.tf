ephemeral "vaultadmin_perf_replication_public_key" "eu" {
  cluster = "eu"
}

# cluster_id puts the token off until the primary exists, secondary_id until the filter does: nothing leaks by the
# first copy.
ephemeral "vaultadmin_perf_replication_secondary_token" "eu" {
  cluster              = "us"
  cluster_id           = vaultadmin_perf_replication_primary.us.cluster_id
  secondary_id         = vaultadmin_perf_replication_paths_filter.eu.secondary_id
  secondary_public_key = ephemeral.vaultadmin_perf_replication_public_key.eu.secondary_public_key
}

resource "vaultadmin_perf_replication_secondary" "eu" {
  cluster           = "eu"
  token_wo          = ephemeral.vaultadmin_perf_replication_secondary_token.eu.token
  token_wo_version  = 1
  confirm_data_loss = "eu"

  timeouts {
    create = "1h"
  }
}

data "vaultadmin_perf_replication_status" "eu" {
  cluster = "eu"
}
