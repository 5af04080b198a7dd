output "policy" {
  value = provider::vaultadmin::policy_document([
    { path = "secret/data/app/*", capabilities = ["read", "list"] },
  ])
}

output "import_id" {
  value = provider::vaultadmin::import_id("us", "team", "ops")
}
