resource "vaultadmin_egp_policy" "office_only" {
  cluster           = "us"
  name              = "office-only"
  enforcement_level = "hard-mandatory"
  paths             = ["secret/*"]
  policy            = <<-EOT
    import "sockaddr"

    main = rule { sockaddr.is_contained("10.20.0.0/16", request.connection.remote_addr) }
  EOT
}
