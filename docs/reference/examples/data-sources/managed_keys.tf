data "vaultadmin_managed_keys" "awskms" {
  cluster = "us"
  type    = "awskms"
}

output "aws_keys" {
  value = data.vaultadmin_managed_keys.awskms.names
}
