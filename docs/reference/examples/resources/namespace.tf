resource "vaultadmin_namespace" "team" {
  cluster = "us"
  path    = "team"

  custom_metadata = {
    owner = "platform"
  }
}

# A policy in the namespace: it is created after the namespace, and deleted before it.
resource "vaultadmin_acl_policy" "team_readers" {
  cluster   = "us"
  namespace = vaultadmin_namespace.team.path_fq
  name      = "readers"
  policy    = "path \"secret/*\" { capabilities = [\"read\"] }"
}
