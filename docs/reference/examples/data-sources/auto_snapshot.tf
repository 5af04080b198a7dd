data "vaultadmin_auto_snapshot" "nightly" {
  cluster = "us"
  name    = "nightly"
}

output "nightly_bucket" {
  value = data.vaultadmin_auto_snapshot.nightly.aws_s3.aws_s3_bucket
}
