# What a plan reads, of what the app manages.
path "sys/policies/acl/*" {
  capabilities = ["read"]
}
path "sys/replication/performance/primary/*" {
  capabilities = ["read"]
}

# The note of a promotion, which is the description of a secrets engine.
path "sys/mounts" {
  capabilities = ["read"]
}

# What "vault-admin status" reads.
path "sys/managed-keys/*" {
  capabilities = ["read", "list"]
}
path "sys/storage/raft/snapshot-auto/*" {
  capabilities = ["read", "list", "sudo"]
}
