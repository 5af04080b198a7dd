/** Mistakes that people make in Terraform's language, and the texts of the real terraform. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { issueCertificate } from '../../src/certificates';
import { Api } from '../emulator/support/api';
import { aclPolicy, block, providerBlock, startStack, type Stack } from '../provider/support';
import { temporaryFolder } from '../support/temporary-folder';

const ACL = 'path "a" { capabilities = ["read"] }\n';
const ADMIN = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }\n';
const SENTINEL = 'main = rule { true }\n';
const OTHER_AUTHORITY = {
  commonName: 'another authority',
  validFrom: new Date('2020-01-01T00:00:00Z'),
  validTo: new Date('2049-01-01T00:00:00Z'),
  authority: true,
};

let stack: Stack;
let files: string;
beforeAll(async () => {
  files = temporaryFolder('mistakes');
  writeFileSync(join(files, 'other.pem'), issueCertificate(OTHER_AUTHORITY).pem);
  stack = await startStack({ tls: true, clusters: { us: 0, eu: 0 }, rootToken: 'root' });
  await root().put('sys/policies/acl/taken', { policy: ACL });
  await root().put('sys/policies/acl/admin', { policy: ADMIN });
});
afterAll(() => stack.close());

/**
 * Returns the settings of a cluster. `changes` replaces some of them, and an empty value removes a
 * setting.
 */
function settings(changes: Readonly<Record<string, string>> = {}, name = 'us'): string {
  const { address, rootToken, caCertFile } = stack.emulator.clusters[name]!;
  const all = { address, token: rootToken, ca_cert_file: caCertFile!, max_retries: '0', ...changes };
  const given = Object.entries(all).filter(([, value]) => value !== '');
  return `    ${name} = { ${given.map(([key, value]) => `${key} = ${JSON.stringify(value)}`).join(', ')} }`;
}

/** Returns the block of a provider with two clusters, without a mistake. */
const both = () => providerBlock(`${settings()}\n${settings({}, 'eu')}`);
const us = (changes: Readonly<Record<string, string>>) => () => providerBlock(settings(changes));

const policy = (attributes: object) => aclPolicy({ policy: ACL, cluster: 'us', ...attributes });
/** Returns a resource with nested blocks, which `block` cannot write. */
const withBlocks = (type: string, attributes: object, blocks: Readonly<Record<string, object>>) =>
  block('resource', type, attributes).replace(
    /\}\n$/,
    `${Object.entries(blocks)
      .map(([name, fields]) => `  ${name} {\n${block('data', '', fields).split('\n').slice(1).join('\n')}`)
      .join('')}}\n`,
  );
const managedKey = (blocks: Readonly<Record<string, object>>, attributes: object = {}) =>
  withBlocks('vaultadmin_managed_key', { cluster: 'us', name: 'k', ...attributes }, blocks);
const snapshot = (blocks: Readonly<Record<string, object>>, attributes: object = {}) =>
  withBlocks(
    'vaultadmin_auto_snapshot',
    { cluster: 'us', name: 'hourly', interval: '1h', path_prefix: '/tmp/a', ...attributes },
    blocks,
  );
const egp = (attributes: object) =>
  block('resource', 'vaultadmin_egp_policy', {
    ...{ cluster: 'us', name: 'e', policy: SENTINEL, paths: ['secret/*'], enforcement_level: 'advisory' },
    ...attributes,
  });
const set = (eu: object, attributes: object = {}) =>
  block('resource', 'vaultadmin_perf_replication_set', { primary: 'us', secondaries: { eu }, ...attributes });
const aws = {
  ...{ kms_key: 'a', key_type: 'RSA', key_bits: 2048, access_key: 'a' },
  ...{ secret_key_wo: 'x', secret_key_wo_version: 1 },
};
type Command = 'plan' | 'apply';

test.each<[mistake: string, command: Command, provider: () => string, hcl: string, text: string]>([
  [
    'a misspelt attribute',
    'plan',
    both,
    policy({ name: 'ops', namspace: 'team' }),
    'Unsupported argument\n' +
      'An argument named "namspace" is not expected here. Did you mean "namespace"?\n' +
      '> namspace = "team"',
  ],
  [
    'a missing attribute',
    'plan',
    both,
    block('resource', 'vaultadmin_acl_policy', { cluster: 'us', name: 'ops' }),
    'Missing required argument\n' +
      'The argument "policy" is required, but no definition was found.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a resource that does not exist',
    'plan',
    both,
    block('resource', 'vaultadmin_policy', { name: 'ops' }),
    'Invalid resource type\n' +
      'The provider vault-admin.internal/cdktf/vaultadmin does not support resource type "vaultadmin_policy".\n' +
      '> resource "vaultadmin_policy" "it" {',
  ],
  [
    'a name twice',
    'plan',
    both,
    `${policy({ name: 'ops' })}${aclPolicy({ policy: ACL, cluster: 'us', name: 'ops' }, 'other')}`,
    'ACL policy "ops" on cluster "us" is in the configuration twice\n' +
      'Another resource has the same name, and each would overwrite what the other writes.\n' +
      'To do: remove one of the two, or give it another name. If for_each, count or a module makes them, the name must ' +
      'contain what differs, such as each.key.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a name in upper case',
    'plan',
    both,
    policy({ name: 'Ops' }),
    'ACL policy "Ops": name must be lower case\n' +
      'Received: "Ops".\n' +
      'Allowed: lower-case letters, since the server converts names to lower case.\n' +
      'To do: write "ops".\n' +
      '> name = "Ops"',
  ],
  [
    'the name of a policy of the server',
    'plan',
    both,
    policy({ name: 'root' }),
    'ACL policy "root": name is reserved for a built-in policy\n' +
      'Received: "root".\n' +
      'Allowed: any name except "root", "response-wrapping", "control-group".\n' +
      'To do: choose another name.\n' +
      '> name = "root"',
  ],
  [
    'a cluster that is not configured',
    'plan',
    both,
    policy({ name: 'ops', cluster: 'asia' }),
    'ACL policy "ops": cluster "asia" is not configured\n' +
      'Received: "asia".\n' +
      'Allowed: "eu", "us".\n' +
      `To do: use one of these, or add "asia" to clusters in the provider's configuration.\n` +
      '> cluster = "asia"',
  ],
  [
    'no cluster, although two are configured',
    'plan',
    both,
    aclPolicy({ policy: ACL, name: 'ops' }),
    'ACL policy "ops": cluster is not set\n' +
      'The provider has several clusters.\n' +
      'Allowed: "eu", "us".\n' +
      'To do: set cluster to one of these.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a misspelt capability',
    'plan',
    both,
    policy({ name: 'ops', policy: 'path "a" { capabilities = ["raed"] }' }),
    'ACL policy "ops": policy cannot be parsed: path "a": invalid capability "raed" (line 1, column 28)\n' +
      'Received: "raed".\n' +
      'Allowed: "deny", "create", "read", "update", "delete", "list", "sudo", "patch", "subscribe", "recover".\n' +
      'To do: write "read".\n' +
      '> policy = "path \\"a\\" { capabilities = [\\"raed\\"] }"',
  ],
  [
    'a block that does not end',
    'plan',
    both,
    policy({ name: 'ops', policy: 'path "a" {' }),
    'ACL policy "ops": policy cannot be parsed: "}" is missing at the end of the block (line 1, column 1)\n' +
      'To do: close the block with "}".\n' +
      '> policy = "path \\"a\\" {"',
  ],
  [
    'a list of rules as JSON',
    'plan',
    both,
    policy({ name: 'ops', policy: '[{"path":"a","capabilities":["read"]}]' }),
    'ACL policy "ops": policy cannot be parsed: the policy must be an object, and is a list (line 1, column 1)\n' +
      'To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}\n' +
      '> policy = "[{\\"path\\":\\"a\\",\\"capabilities\\":[\\"read\\"]}]"',
  ],
  [
    'a text as JSON',
    'plan',
    both,
    policy({ name: 'ops', policy: '"path"' }),
    'ACL policy "ops": policy cannot be parsed: it is a text within the quotes of JSON (line 1, column 1)\n' +
      'To do: give the text itself, without encoding it as JSON.\n' +
      '> policy = "\\"path\\""',
  ],
  [
    'a list in place of the rules, as JSON',
    'plan',
    both,
    policy({ name: 'ops', policy: '{"path":["a"]}' }),
    'ACL policy "ops": policy cannot be parsed: "path" must be an object, and is a list (line 1, column 2)\n' +
      'To do: write {"path": {"secret/*": {"capabilities": ["read"]}}}\n' +
      '> policy = "{\\"path\\":[\\"a\\"]}"',
  ],
  [
    'capabilities that are a text',
    'plan',
    both,
    policy({ name: 'ops', policy: 'path "a" { capabilities = "read" }' }),
    'ACL policy "ops": policy cannot be parsed: path "a": capabilities must be a list, and is a text (line 1, column 27)\n' +
      'To do: write the value as a list: ["…"].\n' +
      '> policy = "path \\"a\\" { capabilities = \\"read\\" }"',
  ],
  [
    'the name of a file in place of its text',
    'plan',
    both,
    policy({ name: 'ops', policy: 'policies/ops.hcl' }),
    `ACL policy "ops": policy cannot be parsed: it is the name of a file (line 1, column 9)\n` +
      'To do: give the text that the file contains.\n' +
      '> policy = "policies/ops.hcl"',
  ],
  [
    'a Sentinel policy that does not parse',
    'plan',
    both,
    egp({ policy: 'main = rule { \n' }),
    'EGP policy "e": policy cannot be parsed: expected an expression, found the end of the text (line 2, column 1)\n' +
      'Received: "".\n' +
      'To do: correct it or, if your server supports more of Sentinel, add the line "# vault-admin: unchecked".\n' +
      '> policy = "main = rule { \\n"',
  ],
  [
    'a misspelt import of Sentinel',
    'plan',
    both,
    egp({ policy: 'import "tme"\nmain = rule { tme.now.year > 0 }\n' }),
    'EGP policy "e": policy can never run: the import "tme" is not available (line 1, column 8)\n' +
      'Received: "import \\"tme\\"".\n' +
      'To do: did you mean "time"?\n' +
      '> policy = "import \\"tme\\"\\nmain = rule { tme.now.year > 0 }\\n"',
  ],
  [
    'a level that does not exist',
    'plan',
    both,
    egp({ enforcement_level: 'hard' }),
    'EGP policy "e": enforcement_level must be one of the allowed values\n' +
      'Received: "hard".\n' +
      'Allowed: "advisory", "soft-mandatory", "hard-mandatory".\n' +
      'To do: write "hard-mandatory".\n' +
      '> enforcement_level = "hard"',
  ],
  [
    'an EGP without paths',
    'plan',
    both,
    egp({ paths: [] }),
    'EGP policy "e": paths must contain at least one path\n' +
      'Received: [].\n' +
      'To do: add the paths that the policy applies to.\n' +
      '> paths = []',
  ],
  [
    'an EGP that locks Terraform out',
    'plan',
    us({ token: 'ADMIN' }),
    egp({ policy: 'main = rule { false }\n', paths: ['*'], enforcement_level: 'hard-mandatory' }),
    'EGP policy "e" refuses requests from Terraform itself\n' +
      'Once the policy is in force, the server denies these requests of this deployment, which then can no longer ' +
      'change the policy:\n' +
      '- read auth/token/lookup-self: "main" is false\n' +
      '- read sys/policies/egp/e: "main" is false\n' +
      '- update sys/policies/egp/e: "main" is false\n' +
      '- delete sys/policies/egp/e: "main" is false\n' +
      'To do: make the policy allow them, for example with a condition on request.path or on the token. Or start with ' +
      'enforcement_level = "advisory". Or, if this is intended, confirm it with confirm_lock_out = "e".\n' +
      '> resource "vaultadmin_egp_policy" "it" {',
  ],
  [
    'a computed attribute',
    'plan',
    both,
    managedKey({ awskms: aws }, { type: 'banana' }),
    'Attribute cannot be set\n' +
      'type is determined by the provider. Remove it from the configuration.\n' +
      '> type = "banana"',
  ],
  [
    'a computed attribute of a snapshot',
    'plan',
    both,
    snapshot({ local: { local_max_space: 1 } }, { storage_type: 'local' }),
    'Attribute cannot be set\n' +
      'storage_type is determined by the provider. Remove it from the configuration.\n' +
      '> storage_type = "local"',
  ],
  [
    'no backend of a key',
    'plan',
    both,
    managedKey({}),
    'managed key "k": type must come from one block\n' +
      'Received: none.\n' +
      'Allowed: one of the blocks pkcs11, awskms, azurekeyvault, gcpckms.\n' +
      'To do: add one of them.\n' +
      '> resource "vaultadmin_managed_key" "it" {',
  ],
  [
    'two backends of a key',
    'plan',
    both,
    managedKey({ awskms: aws, pkcs11: { library: 'hsm', mechanism: '0x0001', key_label: 'k', slot: '0' } }),
    'managed key "k": type must come from one block\n' +
      'Received: pkcs11, awskms.\n' +
      'Allowed: one of the blocks pkcs11, awskms, azurekeyvault, gcpckms.\n' +
      'To do: remove all of them but one.\n' +
      '> resource "vaultadmin_managed_key" "it" {',
  ],
  [
    'a misspelt field of a backend',
    'plan',
    both,
    managedKey({ awskms: { kms_keys: 'a' } }),
    'Missing required argument\n' +
      'The argument "key_type" is required, but no definition was found.\n' +
      '> awskms {\n' +
      '---\n' +
      'Missing required argument\n' +
      'The argument "kms_key" is required, but no definition was found.\n' +
      '> awskms {\n' +
      '---\n' +
      'Unsupported argument\n' +
      'An argument named "kms_keys" is not expected here. Did you mean "kms_key"?\n' +
      '> kms_keys = "a"',
  ],
  [
    'a number that is a text',
    'plan',
    both,
    managedKey({ awskms: { ...aws, key_bits: 'many' } }),
    'Incorrect attribute value type\n' +
      'Inappropriate value for attribute "key_bits": a number is required.\n' +
      '> key_bits = "many"',
  ],
  [
    'a number of bits that does not exist',
    'plan',
    both,
    managedKey({ awskms: { ...aws, key_bits: 1000 } }),
    'managed key "k": key_bits must be one of the allowed values\n' +
      'Received: 1000.\n' +
      'Allowed: 2048, 3072, 4096.\n' +
      'To do: use one of the allowed values.\n' +
      '> key_bits = 1000',
  ],
  [
    'a secret in both forms',
    'plan',
    both,
    managedKey({ awskms: { ...aws, secret_key: 'x' } }),
    'managed key "k": secret_key and secret_key_wo cannot be used together\n' +
      'To do: leave out secret_key, which is stored in the state.\n' +
      '> secret_key = "x"',
  ],
  [
    'a secret without its version',
    'plan',
    both,
    managedKey({
      awskms: { kms_key: 'a', key_type: 'RSA', key_bits: 2048, access_key: 'a', secret_key_wo: 'x' },
    }),
    'managed key "k": secret_key_wo requires secret_key_wo_version\n' +
      'secret_key_wo is not stored, so Terraform cannot detect changes: a new version writes the value again.\n' +
      'To do: set secret_key_wo_version = 1, and increase it whenever the secret changes.\n' +
      '> secret_key_wo = "x"',
  ],
  [
    'text in place of an interval',
    'plan',
    both,
    snapshot({ local: { local_max_space: 1 } }, { interval: 'hourly' }),
    'automated snapshot "hourly": interval is not a valid duration\n' +
      'Received: "hourly".\n' +
      'Allowed: whole seconds, at least one: 3600, "90m" or "24h".\n' +
      'To do: set it to the time between two snapshots.\n' +
      '> interval = "hourly"',
  ],
  [
    'no storage of a snapshot',
    'plan',
    both,
    snapshot({}),
    'automated snapshot "hourly": storage_type must come from one block\n' +
      'Received: none.\n' +
      'Allowed: one of the blocks local, aws_s3, azure_blob, google_gcs.\n' +
      'To do: add one of them.\n' +
      '> resource "vaultadmin_auto_snapshot" "it" {',
  ],
  [
    'two storages of a snapshot',
    'plan',
    both,
    snapshot({ local: { local_max_space: 1 }, aws_s3: { aws_s3_bucket: 'b', aws_s3_region: 'r' } }),
    'automated snapshot "hourly": storage_type must come from one block\n' +
      'Received: local, aws_s3.\n' +
      'Allowed: one of the blocks local, aws_s3, azure_blob, google_gcs.\n' +
      'To do: remove all of them but one.\n' +
      '> resource "vaultadmin_auto_snapshot" "it" {',
  ],
  [
    'nothing retained',
    'plan',
    both,
    snapshot({ local: { local_max_space: 1 } }, { retain: 0 }),
    'automated snapshot "hourly": retain must be at least 1\n' +
      'Received: 0.\n' +
      'Allowed: the number of snapshots to keep, 1 or more.\n' +
      'To do: set it to 1 or more, or remove it for the default of 1.\n' +
      '> retain = 0',
  ],
  [
    'a wrong key in a paths filter',
    'plan',
    both,
    set({ paths_filters: { deny: ['a/'] } }),
    'secondary of the replication set "eu": paths_filter or everything = true is required\n' +
      'Received: neither everything = true nor paths_filter.\n' +
      'Allowed: one of the two.\n' +
      'To do: check the spelling of paths_filter (Terraform drops unknown names here), or set everything = true if the ' +
      'secondary may receive everything.\n' +
      '\n' +
      'At secondaries.eu.paths_filter.\n' +
      '> secondaries = {"eu":{"paths_filters":{"deny":["a/"]}}}',
  ],
  [
    'a wrong key within a paths filter',
    'plan',
    both,
    set({ paths_filter: { mode: 'deny', path: ['a/'] } }),
    'Incorrect attribute value type\n' +
      'Inappropriate value for attribute "secondaries": element "eu": attribute "paths_filter": attribute "paths" is ' +
      'required.\n' +
      '> secondaries = {"eu":{"paths_filter":{"mode":"deny","path":["a/"]}}}',
  ],
  [
    'true as a confirmation',
    'plan',
    both,
    set({ everything: true, confirm_data_loss: true }),
    'secondary of the replication set "eu": confirm_data_loss must repeat the name of the cluster\n' +
      'Received: "true".\n' +
      'Allowed: "eu".\n' +
      'To do: write "eu" if everything that the cluster holds may be erased; otherwise remove it.\n' +
      '\n' +
      'At secondaries.eu.confirm_data_loss.\n' +
      '> secondaries = {"eu":{"everything":true,"confirm_data_loss":true}}',
  ],
  [
    'a primary that is not configured',
    'plan',
    both,
    set({ everything: true }, { primary: 'asia' }),
    'performance replication set: cluster "asia" is not configured\n' +
      'Received: "asia".\n' +
      'Allowed: "eu", "us".\n' +
      `To do: name one of these, or add "asia" to clusters in the provider's configuration.\n` +
      '> primary = "asia"',
  ],
  [
    'a member that is not configured',
    'plan',
    both,
    set({ everything: true }, { secondaries: { asia: { everything: true } } }),
    'performance replication set: cluster "asia" is not configured\n' +
      'Received: "asia".\n' +
      'Allowed: "eu", "us".\n' +
      `To do: name one of these, or add "asia" to clusters in the provider's configuration.\n` +
      '> secondaries = {"asia":{"everything":true}}',
  ],
  [
    'no filter of a secondary',
    'plan',
    both,
    set({}),
    'secondary of the replication set "eu": paths_filter or everything = true is required\n' +
      'Received: neither everything = true nor paths_filter.\n' +
      'Allowed: one of the two.\n' +
      'To do: check the spelling of paths_filter (Terraform drops unknown names here), or set everything = true if the ' +
      'secondary may receive everything.\n' +
      '\n' +
      'At secondaries.eu.paths_filter.\n' +
      '> secondaries = {"eu":{}}',
  ],
  [
    'a namespace that cannot exist',
    'plan',
    both,
    policy({ name: 'ops', namespace: 'sys' }),
    'ACL policy "ops": namespace cannot be the path of a namespace\n' +
      'Received: "sys".\n' +
      'Allowed: names separated by slashes, without white space, "+" or "*", other than ., .., root, sys, audit, auth, ' +
      'cubbyhole, identity.\n' +
      'To do: write a path such as "team/project", or leave it out.\n' +
      '> namespace = "sys"',
  ],
  [
    'a namespace that does not exist',
    'apply',
    both,
    policy({ name: 'ops', namespace: 'taem' }),
    'cannot create ACL policy "ops" on cluster "us": the namespace that it is in does not exist\n' +
      'Cannot read sys/policies/acl/ops on ADDRESS in namespace "taem": the server answered 404 (no handler for route ' +
      '"taem/sys/policies/acl/ops". route entry not found.). Namespace "taem" does not exist: create it first, or ' +
      'correct its name.\n' +
      'Request: GET /v1/sys/policies/acl/ops (status 404, tried once).\n' +
      'To do: if this configuration creates the namespace, refer to it, so that it is created first: namespace = ' +
      'vaultadmin_namespace.NAME.path_fq.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a misspelt setting of a cluster',
    'plan',
    us({ adress: 'https://vault.example' }),
    policy({ name: 'ops' }),
    'clusters.us has no argument "adress"\n' +
      'Allowed: address, auth_login, ca_cert_dir, ca_cert_file, check_rights, client_auth, dialect, headers, ' +
      'max_retries, namespace, skip_tls_verify, timeout, tls_server_name, token, unknown_policy_syntax, ' +
      'usual_environment.\n' +
      'To do: write "address".\n' +
      '> provider "vaultadmin" {',
  ],
  [
    'an address without a scheme',
    'plan',
    us({ address: 'vault.example:8200' }),
    policy({ name: 'ops' }),
    'cluster "us": address is not valid\n' +
      'Received: "vault.example:8200".\n' +
      'Allowed: a URL such as https://vault.example.com:8200, without user name, query and fragment.\n' +
      'To do: correct it, or remove it.\n' +
      '> provider "vaultadmin" {',
  ],
  [
    'an address that ends with /v1',
    'plan',
    us({ address: 'https://vault.example:8200/v1' }),
    policy({ name: 'ops' }),
    'cluster "us": address is not valid\n' +
      'Received: "https://vault.example:8200/v1".\n' +
      'Allowed: a URL such as https://vault.example.com:8200, without user name, query and fragment.\n' +
      'To do: remove /v1 from its end, which is added to each request.\n' +
      '> provider "vaultadmin" {',
  ],
  [
    'an address at which nothing listens',
    'apply',
    us({ address: 'https://127.0.0.1:1' }),
    policy({ name: 'ops' }),
    'cannot create ACL policy "ops" on cluster "us": the server cannot be reached\n' +
      'Cannot read sys/policies/acl/ops on https://127.0.0.1:1: no connection could be made (connect ECONNREFUSED ' +
      '127.0.0.1:1). Check the address (clusters.us.address), that the server is running and listens there, and the ' +
      'network in between.\n' +
      'Request: GET /v1/sys/policies/acl/ops (no answer, tried once).\n' +
      `To do: check the settings of cluster "us": those in clusters of the provider's configuration, then the ` +
      'variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a token that is not valid',
    'apply',
    us({ token: 'rot' }),
    policy({ name: 'ops' }),
    'cannot create ACL policy "ops" on cluster "us": the token is not valid\n' +
      'Cannot read sys/policies/acl/ops on ADDRESS: the server answered 403 (permission denied; invalid token). The ' +
      'server does not know the token: it is wrong, expired, revoked, or belongs to another cluster or namespace. ' +
      'A cluster that joins a replication set revokes its tokens: use a login there.\n' +
      'Request: GET /v1/sys/policies/acl/ops (status 403, tried once).\n' +
      `To do: check the settings of cluster "us": those in clusters of the provider's configuration, then the ` +
      'variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a Sentinel policy in an ACL policy',
    'plan',
    us({}),
    policy({ name: 'ops', policy: 'main = rule { true }' }),
    'ACL policy "ops": policy is a Sentinel policy, not an ACL policy\n' +
      'To do: declare it with the resource of an RGP policy or of an EGP policy.\n' +
      '> policy = "main = rule { true }"',
  ],
  [
    'no token',
    'apply',
    us({ token: '' }),
    policy({ name: 'ops' }),
    'cannot create ACL policy "ops" on cluster "us": the token is not valid\n' +
      'Cannot read sys/policies/acl/ops on ADDRESS: the server answered 403 (permission denied). No token was sent: ' +
      'set the token (clusters.us.token or VAULT_TOKEN), or configure a login.\n' +
      'Request: GET /v1/sys/policies/acl/ops (status 403, tried once).\n' +
      `To do: check the settings of cluster "us": those in clusters of the provider's configuration, then the ` +
      'variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a CA file of another server',
    'apply',
    us({ ca_cert_file: '/FILES/other.pem' }),
    policy({ name: 'ops' }),
    `cannot create ACL policy "ops" on cluster "us": the server's certificate is not trusted\n` +
      "Cannot read sys/policies/acl/ops on ADDRESS: the server's certificate is not trusted (unable to verify the " +
      'first certificate). clusters.us.ca_cert_file is /FILES/other.pem, without the certificate of the authority that ' +
      'signed it: set it to that certificate.\n' +
      'Request: GET /v1/sys/policies/acl/ops (no answer, tried once).\n' +
      `To do: check the settings of cluster "us": those in clusters of the provider's configuration, then the ` +
      'variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a CA file that does not exist',
    'apply',
    us({ ca_cert_file: '/FILES/none.pem' }),
    policy({ name: 'ops' }),
    'cannot create ACL policy "ops" on cluster "us": the settings of the cluster are not valid\n' +
      'Cannot use /FILES/none.pem for TLS: it does not exist; check clusters.us.ca_cert_file\n' +
      `To do: check the settings of cluster "us": those in clusters of the provider's configuration, then the ` +
      'variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'no CA file',
    'apply',
    us({ ca_cert_file: '' }),
    policy({ name: 'ops' }),
    `cannot create ACL policy "ops" on cluster "us": the server's certificate is not trusted\n` +
      "Cannot read sys/policies/acl/ops on ADDRESS: the server's certificate is not trusted (unable to verify the " +
      'first certificate). Set clusters.us.ca_cert_file or VAULT_CACERT to the certificate of the authority that ' +
      'signed it.\n' +
      'Request: GET /v1/sys/policies/acl/ops (no answer, tried once).\n' +
      `To do: check the settings of cluster "us": those in clusters of the provider's configuration, then the ` +
      'variables VAULTADMIN_US_*, then VAULT_* if it is the only cluster.\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'a token without permissions',
    'apply',
    us({ token: 'WEAK' }),
    policy({ name: 'ops' }),
    'cannot create ACL policy "ops" on cluster "us": the token may not make all changes\n' +
      'Not allowed: create ACL policy "ops".\n' +
      'The rules for a policy of the root namespace:\n' +
      '\n' +
      '  path "sys/policies/acl/ops" {\n' +
      '    capabilities = ["read", "update", "delete"]\n' +
      '  }\n' +
      '\n' +
      'To do: add the rules to a policy of the token. If this apply grants them, let what needs them depend on the ' +
      'policy that has them (depends_on).\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
  [
    'the primary as a secondary',
    'plan',
    both,
    set({}, { secondaries: { us: { everything: true } } }),
    'performance replication set: secondaries must not contain the primary\n' +
      'Received: "us".\n' +
      'Allowed: the other clusters of the set.\n' +
      'To do: remove "us" from secondaries, or set primary to another cluster.\n' +
      '> secondaries = {"us":{"everything":true}}',
  ],
  [
    'a mode of a paths filter that does not exist',
    'plan',
    both,
    set({ paths_filter: { mode: 'block', paths: ['a/'] } }),
    'paths filter "eu": mode must be one of the allowed values\n' +
      'Received: "block".\n' +
      'Allowed: "allow", "deny".\n' +
      'To do: use one of the allowed values.\n' +
      '\n' +
      'At secondaries.eu.paths_filter.mode.\n' +
      '> secondaries = {"eu":{"paths_filter":{"mode":"block","paths":["a/"]}}}',
  ],
  [
    'a list in place of the clusters',
    'plan',
    () => 'provider "vaultadmin" {\n  clusters = [{ name = "us" }]\n}',
    policy({ name: 'ops' }),
    'clusters is not valid\n' +
      'Received: a list, which is not shown.\n' +
      'Allowed: a map.\n' +
      'To do: write { name = value }.\n' +
      '> provider "vaultadmin" {',
  ],
  [
    'an abbreviated setting of a cluster',
    'plan',
    us({ ca_cert: '/ca.pem' }),
    policy({ name: 'ops' }),
    'clusters.us has no argument "ca_cert"\n' +
      'Allowed: address, auth_login, ca_cert_dir, ca_cert_file, check_rights, client_auth, dialect, headers, ' +
      'max_retries, namespace, skip_tls_verify, timeout, tls_server_name, token, unknown_policy_syntax, ' +
      'usual_environment.\n' +
      'To do: write "ca_cert_dir" or "ca_cert_file".\n' +
      '> provider "vaultadmin" {',
  ],
  [
    'text in place of a boolean',
    'plan',
    us({ skip_tls_verify: 'yes' }),
    policy({ name: 'ops' }),
    'clusters.us.skip_tls_verify is not valid\n' +
      'Received: a string, which is not shown.\n' +
      'Allowed: true or false.\n' +
      'To do: write true or false.\n' +
      '> provider "vaultadmin" {',
  ],
  [
    'text in place of a timeout',
    'plan',
    us({ timeout: 'fast' }),
    policy({ name: 'ops' }),
    'cluster "us": timeout is not valid\n' +
      'Received: "fast".\n' +
      'Allowed: seconds, or a duration such as 90s or 2m; 0 for no limit.\n' +
      'To do: correct it, or remove it.\n' +
      '> provider "vaultadmin" {',
  ],
  [
    'a type of key of another product',
    'plan',
    both,
    managedKey({ awskms: { kms_key: 'a', key_type: 'EC', curve: 'P-256' } }),
    'managed key "k": curve must be one of the allowed values\n' +
      'Received: "P-256".\n' +
      'Allowed: "P256", "P384", "P521".\n' +
      'To do: write "P256".\n' +
      '> curve = "P-256"\n' +
      '---\n' +
      'managed key "k": key_type must be one of the allowed values\n' +
      'Received: "EC".\n' +
      'Allowed: "RSA", "ECDSA".\n' +
      'To do: write "ECDSA".\n' +
      '> key_type = "EC"',
  ],
  [
    'a namespace with slashes in its path',
    'plan',
    both,
    block('resource', 'vaultadmin_namespace', { cluster: 'us', path: 'payments/cards' }),
    'namespace "payments/cards": path must be one name, without slashes\n' +
      'Received: "payments/cards".\n' +
      'To do: set path to "cards", and set namespace to "payments".\n' +
      '> path = "payments/cards"',
  ],
  [
    'a namespace in one that does not exist',
    'apply',
    both,
    block('resource', 'vaultadmin_namespace', { cluster: 'us', namespace: 'payments', path: 'cards' }),
    'cannot create namespace "cards" on cluster "us": the namespace that it is in does not exist\n' +
      'Cannot read sys/namespaces/cards on ADDRESS in namespace "payments": the server answered 404 (no handler for ' +
      'route "payments/sys/namespaces/cards". route entry not found.). Namespace "payments" does not exist: create it ' +
      'first, or correct its name.\n' +
      'Request: GET /v1/sys/namespaces/cards (status 404, tried once).\n' +
      'To do: if this configuration creates the namespace, refer to it, so that it is created first: namespace = ' +
      'vaultadmin_namespace.NAME.path_fq.\n' +
      '> resource "vaultadmin_namespace" "it" {',
  ],
  [
    'a path of an EGP with /v1',
    'plan',
    both,
    egp({ paths: ['/v1/secret/*'] }),
    'EGP policy "e": paths contains a path with a leading slash\n' +
      'Received: "/v1/secret/*".\n' +
      'Allowed: paths without "/v1/" and without a leading slash.\n' +
      'To do: write "secret/*".\n' +
      '> paths = ["/v1/secret/*"]',
  ],
  [
    'a filter and everything',
    'plan',
    both,
    set({ everything: true, paths_filter: { mode: 'deny', paths: ['a/'] } }),
    'secondary of the replication set "eu": everything cannot be true together with a paths_filter\n' +
      'Received: everything = true and paths_filter.\n' +
      'Allowed: one of the two.\n' +
      'To do: remove everything, or paths_filter.\n' +
      '\n' +
      'At secondaries.eu.everything.\n' +
      '> secondaries = {"eu":{"everything":true,"paths_filter":{"mode":"deny","paths":["a/"]}}}',
  ],
  [
    'an import of an object that does not exist',
    'plan',
    both,
    `${policy({ name: 'ops' })}import {\n  to = vaultadmin_acl_policy.it\n  id = "us//ops"\n}\n`,
    'ACL policy "ops" on cluster "us" does not exist\n' +
      'Received: import id "us//ops".\n' +
      'To do: check the parts of the id. To create a new object, run an apply without an import.',
  ],
  [
    'an import without the cluster',
    'plan',
    both,
    `${policy({ name: 'ops' })}import {\n  to = vaultadmin_acl_policy.it\n  id = "ops"\n}\n`,
    'ACL policy: import id "ops" does not contain a cluster name\n' +
      'Allowed: the name of a cluster as the first segment, one of "eu", "us".\n' +
      'To do: write "eu//ops" for the object on that cluster.',
  ],
  [
    'an object that exists already',
    'apply',
    both,
    policy({ name: 'taken', policy: 'path "b" {}' }),
    'ACL policy "taken" on cluster "us" already exists\n' +
      'Creating it would overwrite the existing object. Nothing was changed.\n' +
      "To do: choose another name, or import it, replacing NAME with the resource's name, with the command\n" +
      '\n' +
      "  terraform import vaultadmin_acl_policy.NAME 'us//taken'\n" +
      '\n' +
      'or the block\n' +
      '\n' +
      '  import {\n' +
      '    to = vaultadmin_acl_policy.NAME\n' +
      '    id = "us//taken"\n' +
      '  }\n' +
      '> resource "vaultadmin_acl_policy" "it" {',
  ],
])('%s', async (_mistake, command, provider, hcl, text) => {
  stack.workspace.remove('terraform.tfstate');
  stack.configure(
    provider()
      .replaceAll('/FILES', files)
      .replace('WEAK', await tokenOf('default'))
      .replace('ADMIN', await tokenOf('admin')),
  );
  stack.resources(hcl);
  const { code, errors, requests } = await stack.run(command);
  expect(requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
  const { us: first } = stack.emulator.clusters;
  const received = errors
    .map(({ summary, detail, line }) =>
      [summary, detail, ...(line === undefined ? [] : [`> ${line}`])].join('\n'),
    )
    .sort()
    .join('\n---\n')
    .replaceAll(files, '/FILES')
    .replaceAll(first!.address, 'ADDRESS')
    // Terraform plans the resources "it" and "other" in any order.
    .replace('_policy" "other" {', '_policy" "it" {')
    .trimEnd();
  expect({ code, text: received }).toEqual({ code: 1, text });
});

/** Returns a token with one policy. */
async function tokenOf(policyName: string): Promise<string> {
  const answer = await root().post('auth/token/create', { policies: [policyName] });
  return (answer.body as { auth: { client_token: string } }).auth.client_token;
}

function root(): Api {
  const { address, rootToken, caCertFile } = stack.emulator.clusters.us!;
  return new Api(address, rootToken, readFileSync(caCertFile!, 'utf8'));
}
