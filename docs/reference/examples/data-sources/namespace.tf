data "vaultadmin_namespace" "team" {
  cluster = "us"
  path    = "team"
}

output "team_owner" {
  value = data.vaultadmin_namespace.team.custom_metadata["owner"]
}
