resource "vaultadmin_rgp_policy" "business_hours" {
  cluster           = "us"
  namespace         = "admin"
  name              = "business-hours"
  enforcement_level = "soft-mandatory"
  policy            = <<-EOT
    import "time"

    main = rule { time.now.hour >= 8 and time.now.hour < 18 }
  EOT
}
