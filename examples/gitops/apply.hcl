# What an apply writes, of what the app manages: its role has plan.hcl as well. Paths are those of plan.hcl, for the most
# specific one decides. "vault-admin doctor --least-policy" prints such a policy.
path "sys/policies/acl/*" {
  capabilities = ["create", "read", "update", "delete"]
}
path "sys/replication/performance/primary/*" {
  capabilities = ["create", "read", "update", "delete", "sudo"]
}
path "sys/replication/performance/secondary/*" {
  capabilities = ["create", "read", "update", "delete", "sudo"]
}
path "sys/mounts/vaultadmin-promotion" {
  capabilities = ["update", "delete"]
}

# What is looked for before a cluster is erased, because it joins a set.
path "sys/mounts" {
  capabilities = ["read"]
}
path "sys/auth" {
  capabilities = ["read"]
}
path "sys/policies/*" {
  capabilities = ["list"]
}
path "sys/namespaces" {
  capabilities = ["list"]
}
