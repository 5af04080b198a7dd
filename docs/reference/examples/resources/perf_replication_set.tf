resource "vaultadmin_perf_replication_set" "main" {
  primary = "us"
  secondaries = {
    # Everything that the cluster holds is erased when it joins: its name confirms that.
    eu = { everything = true, confirm_data_loss = "eu" }
    ap = {
      confirm_data_loss = "ap"
      paths_filter      = { mode = "deny", paths = ["legal/"] }
    }
  }
}

# What the apply will do, for reviewers.
output "replication_steps" {
  value = vaultadmin_perf_replication_set.main.steps
}
