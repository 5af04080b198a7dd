# The cluster keeps the private key. Only it can read a token that was encrypted with the public key.
ephemeral "vaultadmin_perf_replication_public_key" "eu" {
  cluster = "eu"
}
