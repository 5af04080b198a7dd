# "us/team//ops"
output "import_id" {
  value = provider::vaultadmin::import_id("us", "team", "ops")
}
