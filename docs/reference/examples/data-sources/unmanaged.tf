resource "vaultadmin_acl_policy" "declared" {
  for_each = {
    deployer = "path \"secret/data/deploy/*\" { capabilities = [\"read\"] }"
  }

  cluster = "us"
  name    = each.key
  policy  = each.value
}

# A policy that was written by hand fails the check. Nothing is deleted.
check "only_declared_policies" {
  data "vaultadmin_unmanaged" "us" {
    cluster      = "us"
    acl_policies = [for policy in vaultadmin_acl_policy.declared : policy.name]
  }

  assert {
    condition     = length(data.vaultadmin_unmanaged.us.unmanaged) == 0
    error_message = "Not declared: ${join(", ", data.vaultadmin_unmanaged.us.unmanaged)}."
  }
}
