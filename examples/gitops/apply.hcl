# What an apply writes, of what the app manages.
path "sys/policies/acl/*" {
  capabilities = ["create", "read", "update", "delete"]
}
