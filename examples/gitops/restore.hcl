# What the job "restore" does: it loads the last snapshot of "nightly", reads a secret from it, and unloads it.
path "sys/storage/raft/snapshot-auto/status/nightly" {
  capabilities = ["read"]
}
path "sys/storage/raft/snapshot-auto/snapshot-load/nightly" {
  capabilities = ["update"]
}
path "sys/storage/raft/snapshot-load" {
  capabilities = ["list"]
}
path "sys/storage/raft/snapshot-load/*" {
  capabilities = ["read", "delete"]
}
path "canary/snapshot" {
  capabilities = ["read"]
}
