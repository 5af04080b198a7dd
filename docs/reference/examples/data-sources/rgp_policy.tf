data "vaultadmin_rgp_policy" "business_hours" {
  cluster   = "us"
  namespace = "admin"
  name      = "business-hours"
}
