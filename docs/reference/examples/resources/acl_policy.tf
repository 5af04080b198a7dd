resource "vaultadmin_acl_policy" "ops" {
  cluster = "us"
  name    = "ops"
  policy  = <<-EOT
    path "secret/data/ops/*" {
      capabilities = ["create", "read", "update"]
    }
  EOT
}
