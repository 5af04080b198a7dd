# { cluster = "us", namespace = "team", name = "ops" }
output "parsed_import_id" {
  value = provider::vaultadmin::parse_import_id("us/team//ops")
}
