data "vaultadmin_rgp_policies" "all" {
  cluster   = "us"
  namespace = "admin"
}

output "rgp_policies" {
  value = data.vaultadmin_rgp_policies.all.names
}
