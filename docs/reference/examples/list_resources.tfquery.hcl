# terraform query -generate-config-out=found.tf
list "vaultadmin_acl_policy" "teams" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster   = "us"
    namespace = "teams"
    recursive = true
    name      = "team-*"
  }
}
