data "vaultadmin_acl_policies" "all" {
  cluster = "us"
}

output "acl_policies" {
  value = data.vaultadmin_acl_policies.all.names
}
