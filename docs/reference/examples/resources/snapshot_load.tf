# Loads the last snapshot that this configuration wrote.
resource "vaultadmin_snapshot_load" "latest" {
  cluster       = "us"
  auto_snapshot = "nightly"
}
