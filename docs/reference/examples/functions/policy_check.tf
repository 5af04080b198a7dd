# Checks a policy in an assertion of a module, without any cluster.
locals {
  text = <<-EOT
    path "secret/data/app/*" {
      capabilities = ["read"]
    }
  EOT
}

output "checked_policy" {
  value = local.text

  precondition {
    condition     = length(provider::vaultadmin::policy_check(local.text)) == 0
    error_message = join("\n", provider::vaultadmin::policy_check(local.text))
  }
}
