# terraform apply -invoke=action.vaultadmin_snapshot_recover.db
action "vaultadmin_snapshot_recover" "db" {
  config {
    cluster     = "us"
    snapshot_id = vaultadmin_snapshot_load.latest.snapshot_id
    path        = "secret/app/db-before"
    source_path = "secret/app/db"
  }
}
