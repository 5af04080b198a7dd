# terraform apply -invoke=action.vaultadmin_token_revoke_accessor.leaked
action "vaultadmin_token_revoke_accessor" "leaked" {
  config {
    cluster  = "us"
    accessor = var.leaked_accessor
  }
}

variable "leaked_accessor" {
  type    = string
  default = "B6oixijqmeR4bsLOJH88Ska9"
}
