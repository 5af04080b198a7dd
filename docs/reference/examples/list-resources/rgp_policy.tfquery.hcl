list "vaultadmin_rgp_policy" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster   = "us"
    namespace = "teams"
    recursive = true
  }
}
