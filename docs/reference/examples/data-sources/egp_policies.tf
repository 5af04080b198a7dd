data "vaultadmin_egp_policies" "all" {
  cluster = "us"
}

# The paths that policies govern, by the names of the policies.
output "guarded_paths" {
  value = data.vaultadmin_egp_policies.all.paths
}
