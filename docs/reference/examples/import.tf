import {
  to = vaultadmin_acl_policy.ops
  id = "us//ops"
}
