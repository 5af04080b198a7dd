# "secret/"
output "mount" {
  value = provider::vaultadmin::mount_of("secret/data/app/db")
}
