/**
 * The descriptions of endpoints by kinds of mounts: a path below the mount as in the table of
 * endpoints, and a sentence. A path without a description has that of the nearest path above it.
 */
const LINES: Readonly<Record<string, string>> = {
  sys: `
activation-flags Turns on features that have to be activated.
audit Manages audit devices.
audit-hash Returns the hash of a value as an audit device writes it.
auth Manages auth methods.
capabilities Returns the capabilities of a token on paths.
capabilities-accessor Returns the capabilities of the token with an accessor.
capabilities-self Returns the capabilities of the calling token.
config/auditing Chooses the headers of requests that audit devices log.
config/control-group Sets the lifetime of requests that wait for approval.
config/cors Sets from which origins browsers may call the server.
config/group-policy-application Sets in which namespaces policies of groups apply.
config/reload Reads a part of the server's configuration again.
config/state Returns the configuration of the server without secrets.
config/ui Sets headers of the user interface.
control-group Approves requests that wait for approval, or shows their state.
decode-token Decodes a token of the generation of a root token.
events Sends the events of the server to subscribers.
experiments Returns the experiments that are turned on.
generate-recovery-token Generates a token for a server in recovery mode.
generate-root Generates a root token with the unseal or recovery keys.
ha-status Returns the nodes of the cluster.
health Returns whether the server is initialized, unsealed and active.
host-info Returns facts about the machine of the server.
in-flight-req Returns the requests that the server works on.
init Initializes the server, or returns whether it is initialized.
internal Returns internal data, such as counters of clients and the mounts for user interfaces.
key-status Returns the number and the time of the current encryption key.
leader Returns the active node.
leases Looks up, renews and revokes leases.
license Reads or installs the license.
locked-users Lists users that are locked out, or unlocks them.
loggers Sets the levels of the server's log.
managed-keys Manages keys in external key stores.
metrics Returns the metrics of the server.
mfa Manages methods of multi-factor authentication, and validates a login with them.
monitor Sends the log of the server.
mounts Manages secrets engines.
namespaces Manages namespaces.
namespaces/api-lock Locks or unlocks the API of a namespace.
plugins/catalog Manages the catalog of plugins.
plugins/reload Restarts plugins.
plugins/runtimes Manages the runtimes of plugins in containers.
policies/acl Manages ACL policies.
policies/egp Manages EGPs, the Sentinel policies of paths.
policies/password Manages password policies, and generates passwords by them.
policies/rgp Manages RGPs, the Sentinel policies of tokens and identities.
policy Manages ACL policies, at the older path.
pprof Returns profiles of the server process.
quotas Manages quotas of requests and leases.
raw Reads and writes the storage of the server, without any checks.
rekey Replaces the unseal keys.
rekey-recovery-key Replaces the recovery keys.
remount Moves a mount to another path.
renew Renews a lease, at the older path.
replication Manages replication, and returns its state.
replication/dr Manages disaster recovery replication.
replication/performance Manages performance replication.
revoke Revokes a lease, at the older path.
revoke-force Revokes all leases below a prefix, at the older path, and ignores errors.
revoke-prefix Revokes all leases below a prefix, at the older path.
rotate Rotates the encryption key, or replaces unseal and recovery keys.
seal Seals the server.
seal-backend-status Returns the health of the seals.
seal-status Returns whether the server is sealed.
sealwrap Wraps stored values with the seal again.
step-down Makes the active node give up its role.
storage/raft Manages the nodes of integrated storage.
storage/raft/snapshot Takes a snapshot of all data, or restores one.
storage/raft/snapshot-auto Manages automated snapshots.
storage/raft/snapshot-force Restores a snapshot, also of a cluster with other unseal keys.
storage/raft/snapshot-load Loads snapshots, from which single secrets are recovered.
sync Synchronizes secrets with other stores.
tools Returns random bytes and hashes.
unseal Unseals the server with a part of its key.
utilization-report Returns which features are in use.
version-history Returns the versions that the server ran with.
well-known Returns the well-known addresses of plugins.
wrapping Wraps and unwraps responses.
`,
  identity: `
alias Manages aliases of entities, at the older path.
entity Manages entities.
entity-alias Manages the aliases of entities in auth methods.
entity/batch-delete Deletes several entities.
entity/merge Merges entities.
group Manages groups.
group-alias Manages the aliases of external groups.
lookup Finds an entity or a group by its alias, name or id.
mfa Manages multi-factor authentication of logins.
oidc Manages the OIDC provider and the tokens of identities.
persona Manages aliases of entities, at the older path.
`,
  token: `
accessors Lists the accessors of all tokens.
create Creates a token.
create-orphan Creates a token without a parent.
lookup Returns the properties of a token.
lookup-accessor Returns the properties of the token with an accessor.
lookup-self Returns the properties of the calling token.
renew Renews a token.
renew-accessor Renews the token with an accessor.
renew-self Renews the calling token.
revoke Revokes a token and its children.
revoke-accessor Revokes the token with an accessor.
revoke-orphan Revokes a token, not its children.
revoke-self Revokes the calling token.
roles Manages the roles with which tokens are created.
tidy Removes what invalid tokens left behind.
`,
  approle: `
login Logs in with the ids of a role.
role Manages roles.
role/+/role-id Reads or sets the id of a role.
role/+/secret-id Generates secret ids of a role, or manages them.
role/+/secret-id-accessor Looks up or deletes secret ids by their accessors.
role/+/custom-secret-id Sets a secret id of a role.
tidy Removes secret ids that are not valid.
`,
  'auth-aws': `
config Configures the auth method.
identity-accesslist Manages the instances that have logged in.
identity-whitelist Manages the instances that have logged in, at the older path.
login Logs in with an identity of AWS.
role Manages roles.
roles Lists the roles.
roletag-blacklist Manages role tags that are refused, at the older path.
roletag-denylist Manages role tags that are refused.
tidy Removes entries that are not valid.
`,
  jwt: `
config Configures the auth method.
login Logs in with a JWT.
oidc Logs in with an OIDC provider.
role Manages roles.
`,
  'auth-kubernetes': `
config Configures the auth method.
login Logs in with the token of a service account.
role Manages roles.
`,
  userpass: `
login Logs in with a name and a password.
users Manages users.
users/+/password Sets the password of a user.
users/+/policies Sets the policies of a user.
`,
  aws: `
config Configures the secrets engine.
config/rotate-root Replaces the credentials of the secrets engine.
creds Generates credentials for a role.
roles Manages roles.
static-creds Returns the credentials of a static role.
static-roles Manages static roles.
sts Generates credentials for a role, at the older path.
`,
  database: `
config Manages connections to databases.
creds Generates credentials for a role.
reset Opens a connection to a database again.
roles Manages roles.
rotate-role Replaces the password of a static role.
rotate-root Replaces the password of a connection.
static-creds Returns the credentials of a static role.
static-roles Manages static roles.
`,
  kubernetes: `
check Returns whether the secrets engine has what it needs.
config Configures the secrets engine.
creds Generates the token of a service account for a role.
roles Manages roles.
`,
  'kv-1': `
* Manages secrets.
`,
  'kv-2': `
config Configures the secrets engine.
data Reads, writes and deletes the current version of a secret.
delete Deletes versions of a secret, which can be restored.
destroy Destroys versions of a secret for good.
metadata Manages the metadata of secrets, or deletes all versions.
subkeys Returns the keys of a secret without their values.
undelete Restores deleted versions of a secret.
`,
  pki: `
acme Serves the ACME protocol.
ca Returns the certificate of the default issuer.
ca_chain Returns the certificates of the default issuer and its issuers.
cert Returns a certificate.
certs Lists certificates.
config Configures the secrets engine.
crl Returns or rebuilds the list of revoked certificates.
eab Manages keys with which ACME accounts are bound.
intermediate Generates or imports an intermediate certificate.
issue Generates a key, and issues a certificate for it.
issuer Manages an issuer, and issues certificates with it.
issuers Lists, generates and imports issuers.
key Manages a key.
keys Lists, generates and imports keys.
ocsp Answers whether a certificate is revoked.
revoke Revokes a certificate.
revoke-with-key Revokes a certificate, for whoever has its key.
roles Manages roles.
root Generates, replaces or deletes root certificates, and signs with them.
sign Issues a certificate for a request.
sign-verbatim Issues a certificate for a request as it is, without the limits of a role.
tidy Removes expired certificates.
tidy-cancel Stops the removal of expired certificates.
tidy-status Returns the state of the removal of expired certificates.
`,
  transit: `
backup Returns a key as a backup, with its secret part.
byok-export Returns a key, wrapped with another one.
cache-config Sets the size of the cache.
config Configures the secrets engine.
datakey Generates a key for data, wrapped with a named key.
decrypt Decrypts.
encrypt Encrypts.
export Returns a key with its secret part.
hash Returns the hash of data.
hmac Returns the HMAC of data.
keys Manages keys.
keys/+/rotate Rotates a key.
random Returns random bytes.
restore Restores a key from a backup.
rewrap Encrypts a ciphertext anew with the newest version of its key.
sign Signs data.
verify Verifies a signature or an HMAC.
wrapping_key Returns the key with which keys for an import are wrapped.
`,
};

/** Returns a sentence about an endpoint, by the path below a mount of a kind. */
export function descriptionOf(kind: string, path: string): string | undefined {
  const sentences = LINES[kind] ?? '';
  for (let above = path; above !== ''; above = above.slice(0, Math.max(0, above.lastIndexOf('/')))) {
    const start = sentences.indexOf(`\n${above} `);
    if (start < 0) continue;
    const from = start + above.length + 2;
    return sentences.slice(from, sentences.indexOf('\n', from));
  }
  return undefined;
}
