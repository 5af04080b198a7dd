/**
 * Performance replication between two clusters, with a filter, a switchover and a leave.
 *
 * Terraform logs in to both clusters as the user `operator`. VAULTADMIN_US_ADDR and
 * VAULTADMIN_EU_ADDR say where they are, TF_VAR_operator_password is the password. A cluster that
 * joins is erased, with all its tokens; a login at a mount that comes from the primary works before
 * and after.
 *
 *   cdktf deploy
 *
 * What people change in such an app is here taken from the environment of the synthesis:
 *
 *   VAULT_ADMIN_EXAMPLE_PRIMARY=eu      switches over
 *   VAULT_ADMIN_EXAMPLE_FILTER=no       gives the secondary everything
 *   VAULT_ADMIN_EXAMPLE_MEMBERS=eu      removes the other cluster from the set
 *   VAULT_ADMIN_EXAMPLE_PROTECTED=no    permits to end the set
 */
import { App, TerraformOutput, TerraformStack } from 'cdktf';
import {
  PathsFilter,
  PerfReplicationSet,
  VaultCluster,
  VaultSecret,
  type IVaultCluster,
} from 'cdktf-vault-admin';

const {
  VAULT_ADMIN_EXAMPLE_PRIMARY: primary = 'us',
  VAULT_ADMIN_EXAMPLE_FILTER: filtered = 'yes',
  VAULT_ADMIN_EXAMPLE_MEMBERS: members = 'us,eu',
  VAULT_ADMIN_EXAMPLE_PROTECTED: isProtected = 'yes',
} = process.env;

const app = new App();
const stack = new TerraformStack(app, 'replication');

const authLogin = {
  path: 'auth/userpass/login/operator',
  parameters: { password: VaultSecret.fromVariable('operator_password') },
};
const clusters = {
  us: new VaultCluster(stack, 'Us', { name: 'us', authLogin }),
  eu: new VaultCluster(stack, 'Eu', { name: 'eu', authLogin }),
};

const isMember = ({ name }: IVaultCluster): boolean => members.split(',').includes(name);
const set = new PerfReplicationSet(stack, 'Set', {
  // This is the line that a switchover changes.
  primary: primary === 'eu' ? clusters.eu : clusters.us,
  members: [
    { cluster: clusters.us },
    {
      cluster: clusters.eu,
      // Data that must not leave the country. The filter is written before anything is sent.
      pathsFilter: filtered === 'yes' ? PathsFilter.deny(['us-only/']) : undefined,
      // The operator was set up on it by hand: that much is erased.
      confirmDataLoss: 'eu',
    },
  ].filter(({ cluster }) => isMember(cluster)),
  // Terraform reaches a cluster to let it leave.
  formerMembers: Object.values(clusters).filter((cluster) => !isMember(cluster)),
  deletionProtection: isProtected === 'yes',
});

new TerraformOutput(stack, 'ClusterId', { value: set.clusterId });
app.synth();
