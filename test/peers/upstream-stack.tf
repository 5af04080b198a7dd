# What users of hashicorp/vault have in their stacks, around the objects that this project manages.

terraform {
  required_providers {
    vault = {
      source  = "hashicorp/vault"
      version = "5.11.0"
    }
  }
}

# Address and token come from VAULT_ADDR and VAULT_TOKEN; the provider makes itself a child token.
provider "vault" {}

variable "revision" {
  type    = number
  default = 1
}

data "vault_policy_document" "app" {
  rule {
    path         = "secret/data/app/*"
    capabilities = ["create", "read", "update", "delete", "list"]
    description  = "revision ${var.revision}"
  }
}

resource "vault_policy" "app" {
  name   = "app"
  policy = data.vault_policy_document.app.hcl
}

resource "vault_rgp_policy" "hours" {
  name              = "hours"
  enforcement_level = "soft-mandatory"
  policy            = "# revision ${var.revision}\nmain = rule { true }"
}

resource "vault_egp_policy" "breakglass" {
  name              = "breakglass"
  enforcement_level = "hard-mandatory"
  paths             = ["secret/*", "sys/policies/acl/app"]
  policy            = "# revision ${var.revision}\nmain = rule { true }"
}

resource "vault_namespace" "team" {
  path            = "team"
  custom_metadata = { revision = var.revision }
}

resource "vault_policy" "in_namespace" {
  namespace = vault_namespace.team.path
  name      = "reader"
  policy    = "path \"secret/*\" { capabilities = [\"read\"] } # ${var.revision}"
}

resource "vault_mount" "plain" {
  path        = "plain"
  type        = "kv"
  description = "revision ${var.revision}"
  options     = { version = "1" }
}

resource "vault_mount" "versioned" {
  path                      = "versioned"
  type                      = "kv"
  options                   = { version = "2" }
  default_lease_ttl_seconds = 3600 * var.revision
  max_lease_ttl_seconds     = 86400
}

resource "vault_mount" "in_namespace" {
  namespace = vault_namespace.team.path
  path      = "secret"
  type      = "kv-v2"
}

resource "vault_kv_secret" "plain" {
  path      = "${vault_mount.plain.path}/app"
  data_json = jsonencode({ password = "plain-${var.revision}" })
}

resource "vault_kv_secret_backend_v2" "versioned" {
  mount        = vault_mount.versioned.path
  max_versions = 5
}

resource "vault_kv_secret_v2" "versioned" {
  mount               = vault_kv_secret_backend_v2.versioned.mount
  name                = "app/db"
  delete_all_versions = true
  data_json           = jsonencode({ password = "versioned-${var.revision}" })
  custom_metadata {
    max_versions = 3
    data         = { owner = "ops" }
  }
}

resource "vault_auth_backend" "approle" {
  type        = "approle"
  path        = "machines"
  description = "revision ${var.revision}"
  tune {
    default_lease_ttl  = "1h"
    max_lease_ttl      = "4h"
    listing_visibility = "unauth"
    token_type         = "default-service"
  }
}

resource "vault_approle_auth_backend_role" "app" {
  backend        = vault_auth_backend.approle.path
  role_name      = "app"
  token_policies = [vault_policy.app.name]
  token_ttl      = 600 * var.revision
  token_max_ttl  = 7200
}

resource "vault_approle_auth_backend_role_secret_id" "app" {
  backend   = vault_auth_backend.approle.path
  role_name = vault_approle_auth_backend_role.app.role_name
  cidr_list = ["127.0.0.0/8"]
  metadata  = jsonencode({ team = "ops" })
}

resource "vault_approle_auth_backend_login" "app" {
  backend   = vault_auth_backend.approle.path
  role_id   = vault_approle_auth_backend_role.app.role_id
  secret_id = vault_approle_auth_backend_role_secret_id.app.secret_id
}

resource "vault_auth_backend" "userpass" {
  type = "userpass"
}

resource "vault_generic_endpoint" "ann" {
  path                 = "auth/${vault_auth_backend.userpass.path}/users/ann"
  data_json            = jsonencode({ token_policies = ["app"], password = "canary-password" })
  ignore_absent_fields = true
}

resource "vault_jwt_auth_backend" "pipeline" {
  path                   = "pipeline"
  jwt_validation_pubkeys = [trimspace(file("${path.module}/pipeline.pem"))]
  bound_issuer           = "https://ci.example"
}

resource "vault_jwt_auth_backend_role" "pipeline" {
  backend         = vault_jwt_auth_backend.pipeline.path
  role_name       = "deploy"
  role_type       = "jwt"
  user_claim      = "sub"
  bound_audiences = ["vault"]
  bound_claims    = { ref = "refs/heads/main" }
  token_policies  = [vault_policy.app.name]
}

resource "vault_token_auth_backend_role" "child" {
  role_name              = "child"
  allowed_policies       = [vault_policy.app.name]
  orphan                 = true
  token_period           = 3600
  renewable              = true
  token_explicit_max_ttl = 86400
}

resource "vault_token" "app" {
  role_name = vault_token_auth_backend_role.child.role_name
  policies  = [vault_policy.app.name]
  renewable = true
  ttl       = "1h"
  metadata  = { purpose = "test" }
}

data "vault_kv_secret" "plain" {
  path = vault_kv_secret.plain.path
}

data "vault_kv_secret_v2" "versioned" {
  mount = vault_mount.versioned.path
  name  = vault_kv_secret_v2.versioned.name
}

data "vault_kv_secrets_list_v2" "versioned" {
  mount = vault_kv_secret_v2.versioned.mount
}

data "vault_namespaces" "all" {
  depends_on = [vault_namespace.team]
}

data "vault_auth_backends" "all" {
  depends_on = [vault_auth_backend.approle, vault_auth_backend.userpass, vault_jwt_auth_backend.pipeline]
}

output "plain" {
  value     = data.vault_kv_secret.plain.data
  sensitive = true
}

output "versioned" {
  value     = data.vault_kv_secret_v2.versioned.data
  sensitive = true
}

output "secrets" {
  value     = data.vault_kv_secrets_list_v2.versioned.names
  sensitive = true
}

output "namespaces" {
  value = data.vault_namespaces.all.paths
}

output "auth_methods" {
  value = sort(data.vault_auth_backends.all.paths)
}

output "login_policies" {
  value = vault_approle_auth_backend_login.app.policies
}

resource "vault_identity_entity" "ann" {
  name     = "ann"
  policies = [vault_policy.app.name]
  metadata = { revision = var.revision }
}

resource "vault_identity_entity_alias" "ann" {
  name            = "ann"
  mount_accessor  = vault_auth_backend.userpass.accessor
  canonical_id    = vault_identity_entity.ann.id
  custom_metadata = { desk = "7" }
}

resource "vault_identity_entity" "bob" {
  name              = "bob"
  external_policies = true
}

resource "vault_identity_entity_policies" "bob" {
  entity_id = vault_identity_entity.bob.id
  policies  = ["default", vault_policy.app.name]
  exclusive = false
}

resource "vault_identity_group" "team" {
  name              = "team"
  type              = "internal"
  member_entity_ids = [vault_identity_entity.ann.id]
  metadata          = { floor = "2" }
  external_policies = true
}

resource "vault_identity_group_policies" "team" {
  group_id  = vault_identity_group.team.id
  policies  = [vault_policy.app.name]
  exclusive = true
}

resource "vault_identity_group" "outer" {
  name                       = "outer"
  external_member_entity_ids = true
  external_member_group_ids  = true
}

resource "vault_identity_group_member_entity_ids" "outer" {
  group_id          = vault_identity_group.outer.id
  member_entity_ids = [vault_identity_entity.bob.id]
  exclusive         = false
}

resource "vault_identity_group_member_group_ids" "outer" {
  group_id         = vault_identity_group.outer.id
  member_group_ids = [vault_identity_group.team.id]
  exclusive        = false
}

resource "vault_identity_group" "pipelines" {
  name     = "pipelines"
  type     = "external"
  policies = [vault_policy.app.name]
}

resource "vault_identity_group_alias" "pipelines" {
  name           = "deployers"
  mount_accessor = vault_jwt_auth_backend.pipeline.accessor
  canonical_id   = vault_identity_group.pipelines.id
}

data "vault_identity_entity" "ann" {
  alias_name           = vault_identity_entity_alias.ann.name
  alias_mount_accessor = vault_auth_backend.userpass.accessor
}

data "vault_identity_group" "team" {
  group_name = vault_identity_group.team.name
  depends_on = [vault_identity_group_policies.team]
}

output "ann" {
  value = data.vault_identity_entity.ann.entity_name
}

output "team" {
  value = data.vault_identity_group.team.policies
}

resource "vault_mfa_totp" "phone" {
  name      = "phone"
  issuer    = "Example"
  period    = 60
  algorithm = "SHA256"
  digits    = 8
  key_size  = 32
}

# Settings and engines that the emulator stores without effect.

resource "vault_password_policy" "strong" {
  name   = "strong"
  policy = "length = 20\nrule \"charset\" { charset = \"abcdefghij\" }"
}

resource "vault_quota_rate_limit" "all" {
  name     = "all"
  path     = ""
  rate     = var.revision == 1 ? 100 : 200
  interval = 1
}

resource "vault_quota_lease_count" "all" {
  name       = "leases"
  path       = ""
  max_leases = 1000
}

resource "vault_raft_autopilot" "settings" {
  cleanup_dead_servers               = true
  dead_server_last_contact_threshold = "24h0m0s"
  last_contact_threshold             = "10s"
  max_trailing_logs                  = 1000
  min_quorum                         = 3
  server_stabilization_time          = "10s"
}

resource "vault_mount" "database" {
  path = "database"
  type = "database"
}

resource "vault_database_secret_backend_role" "reader" {
  backend             = vault_mount.database.path
  name                = "reader"
  db_name             = "main"
  creation_statements = ["CREATE ROLE reader"]
  default_ttl         = 3600
}

resource "vault_mount" "transit" {
  path = "transit"
  type = "transit"
}

resource "vault_ssh_secret_backend_role" "people" {
  backend                 = vault_mount.ssh.path
  name                    = "people"
  key_type                = "ca"
  allow_user_certificates = true
}

resource "vault_mount" "ssh" {
  path = "ssh"
  type = "ssh"
}

resource "vault_kubernetes_auth_backend_role" "app" {
  backend                          = vault_auth_backend.kubernetes.path
  role_name                        = "app"
  bound_service_account_names      = ["app"]
  bound_service_account_namespaces = ["default"]
  token_policies                   = ["app"]
}

resource "vault_auth_backend" "kubernetes" {
  type = "kubernetes"
}

resource "vault_aws_secret_backend_role" "deploy" {
  backend         = vault_mount.aws.path
  name            = "deploy"
  credential_type = "iam_user"
  policy_arns     = ["arn:aws:iam::aws:policy/ReadOnlyAccess"]
}

resource "vault_mount" "aws" {
  path = "aws"
  type = "aws"
}
