data "vaultadmin_egp_policy" "office_only" {
  cluster = "us"
  name    = "office-only"
}
