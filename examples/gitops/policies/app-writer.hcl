path "secret/data/app/*" {
  capabilities = ["create", "read", "update"]
}
