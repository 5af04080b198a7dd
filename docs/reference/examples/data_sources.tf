data "vaultadmin_acl_policy" "default" {
  cluster = "eu"
  name    = "default"
}

data "vaultadmin_egp_policies" "all" {
  cluster = "us"
}

output "guarded_paths" {
  value = data.vaultadmin_egp_policies.all.paths
}
