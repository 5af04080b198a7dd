list "vaultadmin_auto_snapshot" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster = "us"
  }
}
