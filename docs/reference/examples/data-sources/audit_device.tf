data "vaultadmin_audit_device" "file" {
  cluster = "us"
  path    = "file"
}

output "audit_log" {
  value = data.vaultadmin_audit_device.file.file.file_path
}
