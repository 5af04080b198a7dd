variable "backup_secret_key" {
  type      = string
  sensitive = true
  ephemeral = true
}

resource "vaultadmin_auto_snapshot" "nightly" {
  cluster     = "us"
  name        = "nightly"
  interval    = "24h"
  retain      = 7
  path_prefix = "vault/nightly"

  aws_s3 {
    aws_s3_bucket                    = "example-backups"
    aws_s3_region                    = "eu-west-1"
    aws_access_key_id                = "AKIAIOSFODNN7EXAMPLE"
    aws_secret_access_key_wo         = var.backup_secret_key
    aws_secret_access_key_wo_version = 1
    aws_s3_enable_kms                = true
  }
}

# Warns at every plan as long as the snapshots do not work.
check "nightly_snapshots" {
  data "vaultadmin_auto_snapshot_status" "nightly" {
    cluster = "us"
    name    = vaultadmin_auto_snapshot.nightly.name
  }

  assert {
    condition     = data.vaultadmin_auto_snapshot_status.nightly.healthy
    error_message = join("; ", data.vaultadmin_auto_snapshot_status.nightly.problems)
  }
}
