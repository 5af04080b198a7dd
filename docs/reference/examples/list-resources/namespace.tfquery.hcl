list "vaultadmin_namespace" "all" {
  provider         = vaultadmin
  include_resource = true

  config {
    cluster = "us"
  }
}
