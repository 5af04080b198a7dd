data "vaultadmin_acl_policy" "ops" {
  cluster = "us"
  name    = "ops"
}
