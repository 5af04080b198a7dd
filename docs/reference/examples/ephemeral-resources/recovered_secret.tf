# Fails if the snapshot does not contain the secret.
ephemeral "vaultadmin_recovered_secret" "canary" {
  cluster     = "us"
  snapshot_id = vaultadmin_snapshot_load.latest.snapshot_id
  path        = "secret/canary"

  lifecycle {
    postcondition {
      condition     = self.data["value"] != ""
      error_message = "The snapshot contains no canary."
    }
  }
}
