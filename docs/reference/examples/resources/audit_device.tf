resource "vaultadmin_audit_device" "file" {
  cluster     = "us"
  path        = "file"
  description = "Everything, for the log shipper"

  file {
    file_path = "/var/log/vault/audit.log"
    mode      = "0640"
  }
}
