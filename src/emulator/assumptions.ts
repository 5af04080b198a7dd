/** Something that the server's public sources leave open, and what the emulator does. */
export interface Assumption {
  /** What is not known. */
  readonly what: string;
  /** What the emulator does, as its documentation says it. */
  readonly choice: string;
  /** What the code takes from here: a status, a text, a version. */
  readonly [value: string]: unknown;
}

/**
 * Every choice the emulator makes for want of a public source, in one place: the code takes what it needs from here,
 * and the documentation lists it.
 */
export const ASSUMPTIONS = {
  namespaceWithChildren: {
    what: 'The answer to deleting a namespace that holds others.',
    choice: '400 with a text that names the namespace; nothing is deleted.',
    text: (path: string) => `cannot delete namespace ("${path}") containing child namespaces`,
  },
  nestedNamespaceNames: {
    what: 'Whether a namespace can be created below another one by writing both names in one path.',
    choice: 'It can, where the other one exists.',
  },
  untidyPaths: {
    what: 'The status that sends clients from a path with repeated slashes or dot segments to the tidy one.',
    choice: "301, as Go's router answers on the versions up to 1.21.",
    status: 301,
  },
  wrappingTokenMissing: {
    what: 'The refusal of a wrapping lookup without any token: public sources have several.',
    choice: '400 with the text `missing "token" value in input`.',
  },
  sentinelWriteStatus: {
    what: 'The status of a successful write of an RGP or EGP.',
    choice: '204, or 200 where the name was folded to lower case, as with ACL policies.',
  },
  sentinelCompiler: {
    what: 'How strictly a server checks Sentinel text, and what it says.',
    choice:
      'The text must not be empty, and its brackets, strings and comments must close; else 400 naming the place.',
  },
  sentinelEnforcement: {
    what: 'The decisions of RGPs and EGPs, which need a Sentinel interpreter.',
    choice: 'They are stored and listed, and never refuse a request.',
  },
  sentinelRefusals: {
    what: 'The texts that refuse an enforcement level or paths.',
    choice: '400 with a text that names the field, what was received and what is allowed.',
  },
  egpList: {
    what: "The second member of the EGP list: the documentation says `name_path_map`, the server's code `key_info`.",
    choice: 'Both members, with the same value: for every name a list of `{path, glob}`.',
  },
  mountType: {
    what: 'The version that began to send `mount_type` in the envelope.',
    choice: '1.17.',
    since: [1, 17],
  },
  invalidTokenText: {
    what: 'The version that began to add `invalid token` to the refusal of a bad token.',
    choice: '1.16.',
    since: [1, 16],
  },
  policiesInNamespaces: {
    what: 'Whether policies can be written outside the root namespace on 1.13, whose documentation calls them restricted.',
    choice: 'Every namespace has policies of its own, on all versions.',
  },
  jsonErrorText: {
    what: 'The text that follows `failed to parse JSON input: `.',
    choice: "Words of the emulator's own, which never quote the body.",
  },
  keyServers: {
    what: 'JWT logins with keys of a key server or an OIDC provider, which the emulator never contacts.',
    choice: 'Such a configuration is stored without a check, and its logins are refused with 400.',
    text: "error validating token: the emulator fetches no keys: configure 'jwt_validation_pubkeys'",
  },
  aliasMetadata: {
    what: 'The version and the edition that began to take and show `alias_metadata` on roles and users.',
    choice: '1.21, in both editions.',
    since: [1, 21],
  },
  pluginVersions: {
    what: 'The `running_plugin_version` of engines that have versions of their own, such as KV.',
    choice: "The server's version with `+builtin.vault`, for all of them.",
    version: (server: string) => `v${server}+builtin.vault`,
  },
  mountStatus: {
    what: 'The status of a refused mount: the code attaches 409 and 403, published answers have 400.',
    choice: '400.',
  },
  leaseIds: {
    what: 'The salted hash at the end of the lease id of a token.',
    choice: '`h` and a SHA-256 of the token.',
  },
  generateRootWithPgp: {
    what: 'Root tokens encrypted with a PGP key, which the emulator has no use for.',
    choice: '400: `sys/generate-root` takes a one-time password, or makes one.',
    text: 'pgp_key is not supported by the emulator: use an otp',
  },
  unavailability: {
    what: 'What calls are answered while a cluster changes its replication mode, seals and unseals itself.',
    choice:
      '503 with the text `node is not active`, the status included; `sys/health` answers as a standby does, with the ' +
      'mode `bootstrapping`. A secondary whose first sync is not complete serves `sys/replication/` only.',
    text: 'node is not active',
  },
  wrongReplicationMode: {
    what: 'The refusal of replication calls that do not fit the mode of the cluster.',
    choice:
      '400 with a text that names the mode and those allowed. `secondary/enable` needs a disabled cluster.',
    text: (mode: string, allowed: readonly string[]) =>
      `the replication mode of this cluster is "${mode}": the call needs "${allowed.join('" or "')}"`,
  },
  secondaryIdInUse: {
    what: 'The refusal of an activation token for an id that has one already.',
    choice:
      '400 with a text that names the id, whether or not the first token was used, until the id is revoked.',
    text: (id: string) =>
      `secondary id "${id}" is in use: an activation token was issued for it; revoke the secondary first, or choose another id`,
  },
  badPublicKey: {
    what: 'The refusal of a `secondary_public_key` that is none.',
    choice: '400, and no token is issued.',
    text: 'secondary_public_key is not a public key of secondary/generate-public-key',
  },
  foreignActivationToken: {
    what: 'The refusal of a text that is no activation token, or is encrypted for another public key.',
    choice: '400, and nothing is changed.',
    text: 'token is not an activation token for this cluster',
  },
  deadActivationToken: {
    what: 'The refusal of an encrypted activation token that expired or was revoked, since nothing is unwrapped.',
    choice:
      '500 in the words used for wrapped ones, and nothing is changed. Revocation shows where the primary can be reached; ' +
      'else the secondary clears its data and is refused later.',
    text: 'error response unwrapping secondary token; status code is 400, message is "400 Bad Request"',
  },
  activationTokenContent: {
    what: 'What exactly an activation token holds.',
    choice:
      "Id, mode, cluster id, the primary's cluster address, the TTL's end and a key of curve P-521, which proves who the " +
      'secondary is; no certificates. Public keys are of X25519, in base64; AES-256-GCM encrypts with what the keys share.',
  },
  primaryApiAddress: {
    what: 'The refusal of an address of the primary that is no URL.',
    choice: '400 with a text that shows the address.',
    text: (address: string) => `primary API address "${address}" is no URL of http or https`,
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
    what: 'What `update_primary_addrs` does where no address answers.',
    choice: '400 with a text that shows the addresses. A primary of another set counts as no answer.',
    text: (addresses: readonly string[]) =>
      `no primary of this replication set answers at any of update_primary_addrs: ${addresses.join(', ')}`,
  },
  promotionWhileBehind: {
    what: 'The safety checks of a promotion.',
    choice:
      'Refused with 503 unless the secondary is connected and has all that it heard of, or was so when the primary was ' +
      'demoted or disabled, or is the primary that was demoted. A secondary that lost its primary cannot know, and has to be forced.',
    text: 'replication is still catching up, try again later or provide the "force" argument',
  },
  forwarding: {
    what: 'What a secondary answers where it cannot pass a write on, and the warning where its effect takes long to arrive.',
    choice: '503 with a text that names the primary; after two seconds, 200 with a warning.',
    patienceMs: 2_000,
    unreachable: (address: string) =>
      `error forwarding the request to the primary: ${address === '' ? 'no primary is known' : `${address} cannot be reached`}`,
    warning:
      'The primary has made the change, but it has not arrived at this secondary yet: reads here may not show it.',
  },
  heartbeats: {
    what: 'How often primary and secondary exchange heartbeats, and the version that began to tell their details.',
    choice: 'Every second; details since 1.17.',
    intervalSeconds: 1,
    detailsSince: [1, 17],
  },
  filteredMerkleRoot: {
    what: 'How the `merkle_root` of a secondary with a paths filter compares with that of its primary.',
    choice: 'They are equal when in sync: a secondary knows the hashes of data that it does not get.',
  },
  allowFilters: {
    what: 'What a paths filter of mode `allow` means for namespaces.',
    choice:
      'A secondary gets a namespace that is listed with all that it holds, and one that holds something listed without its ' +
      'other mounts. `sys`, `identity`, `cubbyhole` and `auth/token` come with their namespace.',
  },
  dynamicFilters: {
    what: 'What the dynamic filter lists, and for whom.',
    choice:
      'The mounts and namespaces kept from the secondary, in full paths, mounts in such namespaces included. 404 for an id ' +
      'that is neither known nor filtered, on a secondary for any id but its own.',
  },
  replicationWal: {
    what: 'Where the count of writes begins.',
    choice:
      'With the number of replicated entries when the primary is enabled; every replicated write adds one.',
  },
  hsmBuilds: {
    what: 'Which builds of the server have `pkcs11` managed keys in the emulator.',
    choice:
      'Those with `hsm` in their name, and plain `+ent` as well, so that the default version has all backends; ' +
      'a plain `+ent` server has not. Others, such as `+ent.fips1403`, refuse the type.',
    includes: (version: string) => /\+ent($|.*hsm)/.test(version),
  },
  managedKeyNamespaces: {
    what: 'Whether managed keys can be written outside the root namespace: the documentation says both.',
    choice: 'Every namespace has managed keys of its own, on all versions.',
  },
  managedKeyWrites: {
    what: 'The status of a successful write of a managed key, and what an update does to fields that it leaves out.',
    choice:
      '204, or 200 where there are warnings. Fields that are left out keep their values; an empty text clears one.',
  },
  managedKeyRefusals: {
    what: 'The texts that refuse a managed key.',
    choice: '400 with a text that names the field, what was received and what is allowed.',
  },
  managedKeyNames: {
    what: 'What becomes of upper case in the names of managed keys, and of a name that another backend has taken.',
    choice:
      'Names are folded to lower case, with a warning. A name taken by another backend is refused with 400.',
    folded: (name: string) => `managed key name was converted to ${name}`,
    taken: (name: string, type: string) =>
      `managed key name "${name}" is in use by a key of type ${type}; names are unique across all types`,
  },
  managedKeyAnswers: {
    what: 'How reads of managed keys show `client_secret`, `credentials`, `key_id`, and what is not set.',
    choice:
      'The first three as `redacted` where they are set, and else empty. A `slot` and a `force_rw_session` that are not ' +
      "set are left out: the documentation's sample shows the latter as false, which upstream's provider cannot read.",
  },
  managedKeyMechanisms: {
    what: 'In which forms a `mechanism` is taken.',
    choice: 'In hexadecimal digits after `0x`, and in decimal digits, as it is shown.',
  },
  managedKeyAlgorithms: {
    what: 'In which case a signature algorithm and a key type come back.',
    choice: 'As they were written.',
  },
  managedKeyInUse: {
    what: 'The answer to deleting a managed key that mounts list in `allowed_managed_keys`.',
    choice:
      "400 with a text that names the mounts. Mounts of the key's own namespace count, on all versions.",
    text: (name: string, mounts: readonly string[]) =>
      `cannot delete managed key "${name}": it is listed in allowed_managed_keys of the mounts ${mounts.join(', ')}`,
  },
  testSignStatus: {
    what: 'The statuses and texts of a test signature that fails.',
    choice:
      '400 with the reason, which names the field where one is at fault; 404 with a text where there is no such ' +
      'managed key.',
    status: 400,
    missing: (name: string) => `no managed key named "${name}" of this type`,
  },
  testSignUsages: {
    what: 'Which usages a test signature needs.',
    choice: '`sign` alone, although the signature is also verified.',
  },
  testSignSizes: {
    what: 'Whether a key that exists must have the size or the curve that the configuration names.',
    choice:
      'It must, with all backends; and a PKCS#11 mechanism for RSA needs an RSA key, CKM_ECDSA an ECDSA key.',
  },
  testSignAlgorithms: {
    what: 'What a test signature does with a key of Google Cloud KMS, whose algorithm fixes hash and padding.',
    choice:
      'What the request leaves out follows the algorithm, and what contradicts it is refused. With the other backends ' +
      'every hash works.',
  },
  keyStoreContents: {
    what: 'What is in the HSM and the cloud services behind managed keys.',
    choice:
      'Every library, slot, token, Key Vault and key ring is there, and empty. Any PIN and any credentials will do. Once ' +
      'credentials or key rings of a backend, or the PIN of a token, are filled in, only those do. Managed keys without ' +
      "credentials use the server's own surroundings, which work.",
  },
  gcpCredentials: {
    what: "Which files are on the server's machine, where `credentials` of Google Cloud KMS names one.",
    choice:
      "Those that are filled in, and those on the emulator's machine. Their contents are not looked at.",
  },
  gcpSurroundings: {
    what: "The project and the region in the server's environment, for keys of Google Cloud KMS that name none.",
    choice: '`emulator` and `global`.',
    project: 'emulator',
    region: 'global',
  },
  keyReplacement: {
    what: 'The operations that replace a key, or store one, for a managed key: they belong to engines that the emulator lacks.',
    choice:
      'The control API has them. Generating needs `allow_generate_key`, storing needs `allow_store_key`, and both need ' +
      '`allow_replace_key` where there is a key.',
  },
  snapshotWriteStatus: {
    what: 'The status of a successful write of a snapshot configuration, and the texts that refuse one.',
    choice: '204; 400 with a text that names the field, what was received and what is allowed.',
  },
  snapshotPathPrefix: {
    what: 'What a server does with a `path_prefix` without the final slash that `azure-blob` and `google-gcs` require.',
    choice:
      'It takes it, as public tests show, and names objects `path_prefix` + `file_prefix`, with nothing in between.',
  },
  snapshotUpdates: {
    what: 'What a write of a snapshot configuration does with fields that it leaves out, or that belong to another storage type.',
    choice:
      'Those left out keep their values, an empty text takes one back, those of another storage type are ignored. A write ' +
      'may change the storage type, which forgets the fields of the old one.',
  },
  snapshotAutoload: {
    what: 'The text that refuses a second configuration with `autoload_enabled`.',
    choice: '400 with a text that names the other configuration. The emulator itself never loads a snapshot.',
    text: (other: string) => `autoload_enabled is already set for the configuration "${other}"`,
  },
  snapshotSchedule: {
    what: 'When snapshots fall due after a configuration was written again, and after the server was away.',
    choice:
      'The interval counts from the last attempt, or from the first write, and what fell due meanwhile is one attempt. ' +
      'Where the clock is moved over many intervals, as many attempts are made as `retain` keeps the outcome of: the last ones.',
  },
  snapshotStatusBefore: {
    what: 'The status of a configuration before its first attempt.',
    choice:
      'When that is due (`next_snapshot_start`), and nothing else; 404 for a name without a configuration.',
  },
  snapshotFailedUrl: {
    what: 'The URLs in the status after an attempt that failed, and those of snapshots in clouds.',
    choice:
      '`last_snapshot_url` stays that of the last snapshot that was written, `snapshot_url` is that of the attempt. Clouds: ' +
      '`s3://bucket/object`, `azblob://container/object`, `gs://bucket/object`.',
  },
  snapshotSpace: {
    what: 'The text of an attempt that `local_max_space` does not leave enough space for.',
    choice: 'A text with the bytes that are needed, used and allowed. It is told before anything is written.',
    text: ({
      count,
      used,
      allowed,
      needed,
    }: Readonly<Record<'count' | 'used' | 'allowed' | 'needed', number>>) =>
      `not enough space for the snapshot: it takes ${needed} bytes, the ${count} that are there take ${used}, ` +
      `and local_max_space allows ${allowed}`,
  },
  snapshotContents: {
    what: "How the product encrypts a snapshot's state.",
    choice:
      'A gzipped tar archive of `meta.json`, `state.bin` and `SHA256SUMS`. The state is one `[key, value]` in JSON a line, ' +
      'encrypted with AES-256-GCM under the unseal key: nonce, text, tag.',
  },
  snapshotClouds: {
    what: 'Clouds, which the emulator reaches only where the configuration names an endpoint.',
    choice:
      'Without one, snapshots are recorded, `GET /emulator/v1/snapshots` lists them, and the status has a warning.',
    text: (endpoint: string) =>
      `the emulator reaches no cloud: without ${endpoint} snapshots are only recorded; see GET /emulator/v1/snapshots`,
  },
  snapshotIdentities: {
    what: 'Credentials of clouds that are not in the configuration.',
    choice:
      "Those of the emulator's environment: `AWS_ACCESS_KEY_ID` and its companions, and the file that " +
      '`GOOGLE_APPLICATION_CREDENTIALS` names. Instance profiles, metadata servers and the `azure_auth_mode`s other than ' +
      '`shared` make the attempt fail.',
    text: (mode: string) => `azure_auth_mode "${mode}": the emulator reaches no identity service`,
  },
  auditFolder: {
    what: 'Where `file` audit devices write.',
    choice:
      'Only inside the folder that `auditFolder` (`--audit-folder`) names, against which relative paths count. `stdout` and ' +
      '`discard` work everywhere.',
    none: 'the emulator writes audit logs only inside the folder given with auditFolder (--audit-folder), and none is given',
    outside: (folder: string) =>
      `the path is outside of ${folder}, the folder that the emulator may write audit logs to`,
  },
  auditUnwritable: {
    what: 'The text that refuses an audit device which cannot write.',
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
    what: 'Which formats of audit devices there are.',
    choice: '`json` alone; `jsonx` is refused with 400.',
    text: (format: string) => `unknown format type "${format}": the emulator writes "json"`,
  },
  auditIgnoredOptions: {
    what: 'What the options `filter`, `exclude` and `fallback` of audit devices do.',
    choice: 'They are stored and listed, and have no effect, which a warning says.',
    options: ['filter', 'exclude', 'fallback'],
    warning: (names: readonly string[]) =>
      `the emulator stores these options and does not apply them: [${names.join(' ')}]`,
  },
  auditBlocked: {
    what: 'The refusal of a request when no audit device can write.',
    choice: '500 with the text `internal error`; in a bullet if the request could not be logged.',
    status: 500,
    text: 'internal error',
  },
} as const satisfies Readonly<Record<string, Assumption>>;
