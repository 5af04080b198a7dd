data "vaultadmin_namespaces" "all" {
  cluster = "us"
}

output "teams" {
  value = data.vaultadmin_namespaces.all.names
}
