list "vaultadmin_managed_key" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster   = "us"
    namespace = "teams"
    recursive = true
  }
}
