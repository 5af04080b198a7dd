/** Something that Vault's public sources leave open, and what the emulator does. */
export interface Assumption {
  /** What is not known. */
  readonly what: string;
  /** What the emulator does, as its documentation says it. */
  readonly choice: string;
  /** What the code takes from here: a status, a text, a version. */
  readonly [value: string]: unknown;
}

/**
 * The choices that the emulator makes where public sources are silent, in one place: the code takes them from here, and
 * the documentation lists them.
 */
export const ASSUMPTIONS = {
  namespaceWithChildren: {
    what: 'The response to deleting a namespace that has child namespaces.',
    choice: '400 with a text that names the namespace; nothing is deleted.',
    text: (path: string) => `cannot delete namespace ("${path}") containing child namespaces`,
  },
  nestedNamespaceNames: {
    what: 'Whether a namespace can be created below another one by writing both names in one path.',
    choice: 'Yes, if the parent exists; else 400.',
    missingParent: (name: string) => `parent namespace of "${name}/" does not exist; create it first`,
  },
  untidyPaths: {
    what: 'The status that redirects clients from a path with repeated slashes or dot segments to the clean path.',
    choice: "301, as Go's router responds in versions up to 1.21.",
    status: 301,
  },
  wrappingTokenMissing: {
    what: 'The refusal of a wrapping lookup without any token: public sources differ.',
    choice: '400 with the text `missing "token" value in input`.',
    text: 'missing "token" value in input',
  },
  modelRefusals: {
    what: 'The texts that refuse an RGP, an EGP, a managed key, a snapshot configuration or a replication call.',
    choice: '400 with a text that names the field, the value received and the values allowed.',
    status: 400,
  },
  egpList: {
    what: "The second member of the EGP list: the documentation says `name_path_map`, the server's code `key_info`.",
    choice: 'Both members, with the same value: for every name a list of `{path, glob}`.',
    members: ['key_info', 'name_path_map'],
  },
  mountType: {
    what: 'The first version that sends `mount_type` in the envelope.',
    choice: '1.17.',
    since: [1, 17],
  },
  invalidTokenText: {
    what: 'The first version that adds `invalid token` to the refusal of a bad token.',
    choice: '1.16.',
    since: [1, 16],
  },
  sentinelRefusals: {
    what: 'How an RGP or EGP refuses a request on a path that needs no token, such as a login.',
    choice: '400 with the texts of a denial, and without a trace.',
    status: 400,
    isTraced: false,
  },
  sentinelBounds: {
    what: 'How long an RGP or EGP may run: no limits are documented.',
    choice:
      'After 500,000 expressions and statements, or 10,000,000 characters and elements, it fails with an error.',
    limits: { steps: 500_000, memory: 10_000_000 },
  },
  policyOverrideText: {
    what: 'The reason that follows `failed to parse X-Vault-Policy-Override header`.',
    choice: "The emulator's own words.",
    reason: 'not a boolean',
  },
  policiesInNamespaces: {
    what: 'Whether policies can be written outside the root namespace in 1.13, whose documentation calls them restricted.',
    choice: 'Every namespace has its own policies, in all versions.',
    rootNamespaceOnly: false,
  },
  jsonErrorText: {
    what: 'The text that follows `failed to parse JSON input: `.',
    choice: "The emulator's own words, which never quote the body.",
    notJson: 'the body is not valid JSON',
    notObject: 'the body is not a JSON object',
  },
  keyServers: {
    what: 'JWT logins with keys of a key server or an OIDC provider, to which the emulator does not connect.',
    choice: 'The configuration is stored without a check, and logins with it are refused with 400.',
    text: "error validating token: the emulator fetches no keys: configure 'jwt_validation_pubkeys'",
  },
  aliasMetadata: {
    what: 'The first version, and the edition, with `alias_metadata` on roles and users.',
    choice: '1.21, in both editions.',
    since: [1, 21],
  },
  pluginVersions: {
    what: 'The `running_plugin_version` of engines that have versions of their own, such as KV.',
    choice: "The server's version with `+builtin.vault`, for all engines.",
    version: (server: string) => `v${server}+builtin.vault`,
  },
  mountStatus: {
    what: 'The status of a refused mount: the code attaches 409 and 403, published responses have 400.',
    choice: '400.',
    status: 400,
  },
  leaseIds: {
    what: 'The salted hash at the end of the lease id of a token.',
    choice: '`h` and the SHA-256 of the token.',
    suffix: (sha256: string) => `h${sha256}`,
  },
  generateRootWithPgp: {
    what: 'Root tokens that are encrypted with a PGP key.',
    choice: '400: `sys/generate-root` takes a one-time password, or makes one.',
    text: 'pgp_key is not supported by the emulator: use an otp',
  },
  unavailability: {
    what: 'The responses of a cluster that changes its replication mode, seals or unseals itself.',
    choice:
      '503 with the text `node is not active`, replication status included; `sys/health` responds as a standby does, with ' +
      'the mode `bootstrapping`. A secondary whose first sync is not complete serves `sys/replication/` only.',
    text: 'node is not active',
  },
  wrongReplicationMode: {
    what: 'The refusal of replication calls that do not fit the mode of the cluster.',
    choice:
      '400 with a text that names the mode and the modes allowed. `secondary/enable` requires a cluster without replication.',
    text: (mode: string, allowed: readonly string[]) =>
      `the replication mode of this cluster is "${mode}": the call requires "${allowed.join('" or "')}"`,
  },
  secondaryIdInUse: {
    what: 'The refusal of an activation token for an id that already has one.',
    choice:
      '400 with a text that names the id, whether or not the first token was used, until the id is revoked.',
    text: (id: string) =>
      `secondary id "${id}" is in use: an activation token was issued for it; revoke the secondary first, or choose another id`,
  },
  badPublicKey: {
    what: 'The refusal of a `secondary_public_key` that is not valid.',
    choice: '400, and no token is issued.',
    text: 'secondary_public_key is not a public key of secondary/generate-public-key',
  },
  foreignActivationToken: {
    what: 'The refusal of a text that is not an activation token, or is encrypted for another public key.',
    choice: '400, and nothing is changed.',
    text: 'token is not an activation token for this cluster',
  },
  deadActivationToken: {
    what: 'The refusal of an encrypted activation token that has expired or was revoked, since nothing is unwrapped.',
    choice:
      '500 with the text for wrapped tokens, and nothing is changed. Revocation is only noticed if the primary can be ' +
      'reached; otherwise the secondary clears its data and is refused later.',
    text: 'error response unwrapping secondary token; status code is 400, message is "400 Bad Request"',
  },
  activationTokenContent: {
    what: 'The content of an activation token.',
    choice:
      "Id, mode, cluster id, the primary's cluster address, the end of the TTL and a P-521 key, which proves the identity " +
      'of the secondary; no certificates. Public keys are X25519 keys in base64; the shared key encrypts with AES-256-GCM.',
    identityCurve: 'P-521',
    publicKeyType: 'x25519',
    cipher: 'aes-256-gcm',
  },
  primaryApiAddress: {
    what: "The refusal of a primary's API address that is not a URL.",
    choice: '400 with a text that shows the address.',
    text: (address: string) => `primary API address "${address}" is not an http or https URL`,
  },
  unreadableCa: {
    what: 'The refusal of a `ca_file` or `ca_path` that cannot be read.',
    choice: '400 with a text that shows the path; the token is not used up.',
    text: (path: string, reason: string) => `error reading CA "${path}": ${reason}`,
  },
  otherReplicationSet: {
    what: 'What `update-primary` does with a token of another replication set.',
    choice: '400 with a text that names the other set; the token is used up, and nothing else is changed.',
    text: (clusterId: string) =>
      `the token belongs to another replication set, "${clusterId}": disable replication and enable it with a token to join that one`,
  },
  primaryAddresses: {
    what: 'What `update_primary_addrs` does if no address answers.',
    choice: '400 with a text that shows the addresses. The primary of another set counts as no answer.',
    text: (addresses: readonly string[]) =>
      `no primary of this replication set answers at any of update_primary_addrs: ${addresses.join(', ')}`,
  },
  promotionWhileBehind: {
    what: 'The safety checks of a promotion.',
    choice:
      'Refused with 503 unless the secondary is connected and up to date, or was so when the primary was demoted or ' +
      'disabled, or is the demoted primary itself. A secondary that lost its primary cannot know, and has to be forced.',
    text: 'replication is still catching up, try again later or provide the "force" argument',
  },
  forwarding: {
    what: 'What a secondary answers if it cannot forward a write, and its warning if the change takes long to arrive.',
    choice: '503 with a text that names the primary; after two seconds, 200 with a warning.',
    patienceMs: 2_000,
    unreachable: (address: string) =>
      `error forwarding the request to the primary: ${address === '' ? 'no primary is known' : `${address} cannot be reached`}`,
    warning:
      'The primary has made the change, but it has not arrived at this secondary yet: reads here may not show it.',
  },
  heartbeats: {
    what: 'How often primary and secondary exchange heartbeats, and the first version that shows their details.',
    choice: 'Every second; details since 1.17.',
    intervalSeconds: 1,
    detailsSince: [1, 17],
  },
  replicationWal: {
    what: 'Where the count of writes begins.',
    choice:
      'With the number of replicated entries when the primary is enabled; every replicated write adds one.',
    first: (entries: number) => entries,
  },
  hsmBuilds: {
    what: 'Which builds of the server have `pkcs11` managed keys in the emulator.',
    choice:
      'Those with `hsm` in their name, and plain `+ent` as well, so that the default version has all backends (a real ' +
      '`+ent` server does not have it). Others, such as `+ent.fips1403`, refuse the type.',
    includes: (version: string) => /\+ent($|.*hsm)/.test(version),
  },
  managedKeyNamespaces: {
    what: 'Whether managed keys can be written outside the root namespace: the documentation says both.',
    choice: 'Every namespace has its own managed keys, in all versions.',
    rootNamespaceOnly: false,
  },
  managedKeyWrites: {
    what: 'What an update of a managed key does to fields that it leaves out.',
    choice: 'They keep their values; an empty text clears one.',
    merge: <Fields extends object>(before: Fields, sent: Fields): Fields => ({ ...before, ...sent }),
  },
  managedKeyNames: {
    what: 'What becomes of upper case in the names of managed keys, and of a name that another backend has taken.',
    choice:
      'Names are folded to lower case, with a warning. A name taken by another backend is refused with 400.',
    folded: (name: string) => `managed key name was converted to ${name}`,
    taken: (name: string, type: string) =>
      `managed key name "${name}" is in use by a key of type ${type}; names are unique across all types`,
  },
  managedKeyInUse: {
    what: 'The response to deleting a managed key that mounts list in `allowed_managed_keys`.',
    choice:
      "400 with a text that names the mounts. Mounts of the key's own namespace count, in all versions.",
    text: (name: string, mounts: readonly string[]) =>
      `cannot delete managed key "${name}": it is listed in allowed_managed_keys of the mounts ${mounts.join(', ')}`,
  },
  testSignStatus: {
    what: 'The statuses and texts of a test signature that fails.',
    choice:
      '400 with the reason, which names the field if one is at fault; 404 with a text if there is no such managed key.',
    status: 400,
    missing: (name: string) => `no managed key named "${name}" of this type`,
  },
  testSignUsages: {
    what: 'The usages that a test signature requires.',
    choice: '`sign` alone, although the signature is also verified.',
    required: 'sign',
  },
  gcpSurroundings: {
    what: "The project and the region in the server's environment, for keys of Google Cloud KMS that name none.",
    choice: '`emulator` and `global`.',
    project: 'emulator',
    region: 'global',
  },
  snapshotPathPrefix: {
    what: 'What a server does with a `path_prefix` without the final slash that `azure-blob` and `google-gcs` require.',
    choice:
      'It accepts it, as public tests show, and names objects `path_prefix` + `file_prefix`, with nothing in between.',
    folder: (pathPrefix: string) => pathPrefix,
  },
  snapshotAutoload: {
    what: 'The text that refuses a second configuration with `autoload_enabled`.',
    choice: '400 with a text that names the other configuration. The emulator itself never loads a snapshot.',
    text: (other: string) => `autoload_enabled is already set for the configuration "${other}"`,
  },
  snapshotSchedule: {
    what: 'When snapshots are due after the clock has passed several intervals.',
    choice:
      'The interval counts from the last attempt, or from the first write. While the server was away, one attempt was due. ' +
      'If the clock is moved over many intervals, the last `retain` attempts are made.',
    attempts: (retain: number) => retain,
  },
  snapshotUrls: {
    what: 'The URLs of snapshots in clouds.',
    choice: '`s3://bucket/object`, `azblob://container/object`, `gs://bucket/object`.',
    url: (scheme: 's3' | 'azblob' | 'gs', bucket: string, object: string) =>
      `${scheme}://${bucket}/${object}`,
  },
  snapshotSpace: {
    what: 'The text of an attempt for which `local_max_space` does not leave enough space.',
    choice: 'A text with the bytes needed, used and allowed. The check is made before anything is written.',
    text: ({
      count,
      used,
      allowed,
      needed,
    }: Readonly<Record<'count' | 'used' | 'allowed' | 'needed', number>>) =>
      `not enough space for the snapshot: it needs ${needed} bytes, the ${count} existing snapshots use ${used}, ` +
      `and local_max_space allows ${allowed}`,
  },
  snapshotContents: {
    what: "How the product encrypts a snapshot's state.",
    choice:
      'A gzipped tar archive of `meta.json`, `state.bin` and `SHA256SUMS`. The state has one JSON `[key, value]` per line, ' +
      'encrypted with AES-256-GCM under the unseal key: nonce, text, tag.',
    cipher: 'aes-256-gcm',
  },
  snapshotClouds: {
    what: 'Snapshots to clouds: the emulator connects to one only if the configuration names an endpoint.',
    choice:
      'Without an endpoint, snapshots are recorded, `GET /emulator/v1/snapshots` lists them, and the status has a warning.',
    text: (endpoint: string) =>
      `the emulator does not connect to clouds: without ${endpoint}, snapshots are only recorded; see GET /emulator/v1/snapshots`,
  },
  snapshotIdentities: {
    what: 'Cloud credentials that are not in the configuration.',
    choice:
      "Those of the emulator's environment: `AWS_ACCESS_KEY_ID` and its companions, and the file named by " +
      '`GOOGLE_APPLICATION_CREDENTIALS`. Instance profiles, metadata servers and every `azure_auth_mode` other than ' +
      '`shared` make the attempt fail.',
    text: (mode: string) => `azure_auth_mode "${mode}": the emulator does not connect to identity services`,
  },
  auditFolder: {
    what: 'Where `file` audit devices may write.',
    choice:
      'Only inside the folder given with `auditFolder` (`--audit-folder`); relative paths are relative to it. `stdout` and ' +
      '`discard` always work.',
    none: 'the emulator writes audit logs only inside the folder given with auditFolder (--audit-folder), and none is given',
    outside: (folder: string) =>
      `the path is outside of ${folder}, the folder that the emulator may write audit logs to`,
  },
  auditUnwritable: {
    what: 'The text that refuses an audit device that cannot write.',
    choice: '400 with a text that names the path and the reason.',
    text: (path: string, reason: string) =>
      `sanity check failed; unable to open "${path}" for writing: ${reason}`,
  },
  auditSilentTypes: {
    what: 'What audit devices of the types `syslog` and `socket` write.',
    choice: 'Nothing: they are stored and listed, and count as devices that can write.',
    types: ['syslog', 'socket'],
  },
  auditFormats: {
    what: 'The formats of audit devices.',
    choice: '`json` alone; `jsonx` is refused with 400.',
    text: (format: string) => `unknown format type "${format}": the emulator writes "json"`,
  },
  auditIgnoredOptions: {
    what: 'What the options `filter`, `exclude` and `fallback` of audit devices do.',
    choice: 'They are stored and listed, and have no effect; a warning says so.',
    options: ['filter', 'exclude', 'fallback'],
    warning: (names: readonly string[]) =>
      `the emulator stores these options and does not apply them: [${names.join(' ')}]`,
  },
  auditBlocked: {
    what: 'The refusal of a request when no audit device can write.',
    choice: '500 with the text `internal error`; as a bullet if the request could not be logged.',
    status: 500,
    text: 'internal error',
  },
} as const satisfies Readonly<Record<string, Assumption>>;
