data "vaultadmin_auto_snapshots" "all" {
  cluster = "us"
}

output "auto_snapshots" {
  value = data.vaultadmin_auto_snapshots.all.names
}
