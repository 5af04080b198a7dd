# The token comes from the ephemeral resource vaultadmin_perf_replication_secondary_token. It is never stored.
resource "vaultadmin_perf_replication_secondary" "eu" {
  cluster           = "eu"
  token_wo          = ephemeral.vaultadmin_perf_replication_secondary_token.eu.token
  token_wo_version  = 1
  confirm_data_loss = "eu"

  timeouts {
    create = "1h"
  }
}
