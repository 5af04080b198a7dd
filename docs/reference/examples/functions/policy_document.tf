output "policy" {
  value = provider::vaultadmin::policy_document([
    { path = "secret/data/app/*", capabilities = ["read", "list"] },
  ])
}
