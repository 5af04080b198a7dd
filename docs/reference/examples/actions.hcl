# terraform apply -invoke=action.vaultadmin_token_revoke_accessor.leaked
action "vaultadmin_token_revoke_accessor" "leaked" {
  config {
    cluster  = "us"
    accessor = "B6oixijqmeR4bsLOJH88Ska9"
  }
}
