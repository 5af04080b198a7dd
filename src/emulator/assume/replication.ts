import { NEVER, refusal, type Assumption, type Since } from './assumption';

/** The behavior of performance replication that public sources leave open. */
export const REPLICATION_ASSUMPTIONS = {
  unavailability: refusal(
    'The responses of a cluster that changes its replication mode, seals or unseals itself.',
    'with the text `node is not active`, replication status included; `sys/health` responds as a standby does, with the ' +
      'mode `bootstrapping`. A secondary whose first sync is not complete serves `sys/replication/` only.',
    () => 'node is not active',
    503,
  ),
  interruption: {
    open: 'How long a cluster is unavailable after a change of its replication mode.',
    alternatives: {
      brief: { says: '0.3 seconds, unless the option `unavailableMs` sets another duration.', ms: 300 },
      long: { says: '45 seconds, unless the option `unavailableMs` sets another duration.', ms: 45_000 },
    },
  },
  nodeAtAddress: {
    open: "Which node of a cluster answers at the cluster's address.",
    alternatives: {
      active: { says: 'The active node.', standbyMs: 0, isDrSecondary: false },
      'performance-standby': {
        says:
          'A performance standby: `sys/health` responds 473, and after each change of mode it responds 412 for five ' +
          'seconds longer than the active node would.',
        standbyMs: 5_000,
        isDrSecondary: false,
      },
      'dr-secondary': {
        says:
          'The active node of its disaster recovery secondary: `sys/health` responds 472, other calls 400, and the replication ' +
          'status has the mode `disabled`.',
        standbyMs: 0,
        isDrSecondary: true,
      },
    },
  },
  lastRemoteWal: {
    open: "A secondary's `last_remote_wal` after a sync, until the primary writes something.",
    alternatives: {
      position: { says: "The primary's `last_performance_wal` at the sync.", afterSync: 'position' },
      zero: { says: '0, as public captures of quiet pairs show it.', afterSync: 'zero' },
    },
  },
  filteredRoots: {
    open: 'The `merkle_root` of a secondary with a paths filter.',
    alternatives: {
      equal: {
        says: 'The same as that of its primary, if the secondary has everything that the filter lets through.',
        own: false,
      },
      own: { says: "Its own, which never equals the primary's.", own: true },
    },
  },
  statusRoot: {
    open: 'Whether the replication status has a `merkle_root`.',
    alternatives: {
      reported: { says: 'Yes.', reported: true },
      absent: { says: 'No.', reported: false },
    },
  },
  secondaryIdAfterDemotion: {
    open: 'The `secondary_id` of a demoted primary, until it follows another one.',
    alternatives: {
      empty: { says: 'Empty.', kept: false },
      kept: { says: 'The id that it had when it was last a secondary.', kept: true },
    },
  },
  addressesAfterDemotion: {
    open: 'The `known_primary_cluster_addrs` of a demoted primary, until it follows another one.',
    alternatives: {
      empty: { says: 'None.', kept: false },
      kept: { says: 'Its own cluster address.', kept: true },
    },
  },
  disconnectedState: {
    open: 'The `state` of a secondary that has lost the connection to its primary.',
    alternatives: {
      idle: { says: '`idle`.', state: 'idle' },
      streaming: {
        says: '`stream-wals`, with the `connection_state` of the connection.',
        state: 'stream-wals',
      },
    },
  },
  standbysAfterJoin: {
    open: 'What the standbys of a cluster do when it becomes a secondary, whose storage has no keyring for a moment.',
    alternatives: {
      unsealed: { says: 'They stay unsealed.', sealed: false },
      sealed: {
        says: "They seal themselves. Once the cluster has its primary's data, the unseal key of the primary unseals them.",
        sealed: true,
      },
    },
  },
  healthOfDrSecondary: {
    open: 'The `replication_performance_mode` in `sys/health` of a disaster recovery secondary, whose replication status has the mode `disabled`.',
    alternatives: {
      disabled: { says: '`disabled`.', performanceMode: 'disabled' },
      primary: { says: '`primary`, as that of its primary.', performanceMode: 'primary' },
    },
  },
  primaryEnabledAgain: {
    open: 'The response to enabling a cluster as primary that is the primary already.',
    alternatives: {
      refused: { says: 'The refusal of `wrongReplicationMode`.', accepted: false },
      updated: {
        says: 'Success: its `primary_cluster_addr` is the one of the request from then on. Secondaries stay connected.',
        accepted: true,
      },
    },
  },
  tokensAfterUpdatePrimary: {
    open: 'Whether the tokens of a demoted primary stay valid when `update-primary` makes it follow its successor.',
    alternatives: {
      kept: { says: 'Yes.', revoked: false },
      revoked: { says: 'No: clients have to log in again once it has synced.', revoked: true },
    },
  },
  filterAfterNewToken: {
    open: 'Whether the paths filter of an id stays when a new activation token is issued for the id.',
    alternatives: {
      kept: { says: 'Yes: it also applies to the cluster that uses the new token.', dropped: false },
      dropped: { says: 'No: it has to be written again, before the token is used.', dropped: true },
    },
  },
  revocationOfUnknownId: {
    open: 'The response to revoking the id of a secondary that is not known.',
    alternatives: {
      success: { says: '204.', refused: false },
      refused: { says: '400 with the text `unknown secondary`.', refused: true },
    },
  },
  clusterIdAfterJoin: {
    open: "The cluster's own `cluster_id` in `sys/health` after its data was erased because it became a secondary.",
    alternatives: {
      kept: { says: 'The same as before.', renewed: false },
      renewed: { says: 'A new one.', renewed: true },
    },
  },
  tokensAfterDemotion: {
    open: 'Whether the tokens of a primary stay valid when it is demoted.',
    alternatives: {
      kept: { says: 'Yes.', revoked: false },
      revoked: { says: 'No: clients have to log in again.', revoked: true },
    },
  },
  updatePrimaryData: {
    open: 'What a secondary with an allow filter loses by `update-primary` in versions with the known issue.',
    alternatives: {
      kept: { says: 'Nothing.', loses: false },
      lost: {
        says: 'The data of the allowed mounts, without any change of its `merkle_root`, before 1.13.5 and in 1.14.0.',
        loses: true,
      },
    },
  },
  corruptionFields: {
    open: 'Whether the replication status has `corrupted_merkle_tree` and `last_corruption_check_epoch`.',
    alternatives: {
      reported: { says: 'Yes, in all versions.', reported: true },
      absent: { says: 'No.', reported: false },
    },
  },
  lateContact: {
    open: 'Whether a primary accepts a secondary that used its activation token in time, and first connects after the token has expired.',
    alternatives: {
      refused: { says: 'No, never: it needs a new token.', accepted: false },
      accepted: { says: 'Yes.', accepted: true },
    },
  },
  missingFilter: {
    open: 'The response to reading the paths filter of a secondary that has none.',
    alternatives: {
      'not-found': { says: '404.', empty: false },
      empty: { says: '200 without `mode` and `paths`.', empty: true },
    },
  },
  removalOfMissingFilter: {
    open: 'The response to removing the paths filter of a secondary that has none.',
    alternatives: {
      success: { says: '204.', refused: false },
      refused: { says: '404 with the text `no paths filter`.', refused: true },
    },
  },
  wrongReplicationMode: refusal(
    'The refusal of replication calls that do not fit the mode of the cluster.',
    'with a text that names the mode and the modes allowed. `secondary/enable` requires a cluster without replication.',
    (mode: string, allowed: readonly string[]) =>
      `the replication mode of this cluster is "${mode}": the call requires "${allowed.join('" or "')}"`,
  ),
  secondaryIdInUse: refusal(
    'The refusal of an activation token for an id that already has one.',
    'with a text that names the id, whether or not the first token was used, until the id is revoked.',
    (id: string) =>
      `secondary id "${id}" is in use: an activation token was issued for it; revoke the secondary first, or choose another id`,
  ),
  badPublicKey: refusal(
    'The refusal of a `secondary_public_key` that is not valid.',
    'and no token is issued.',
    () => 'secondary_public_key is not a public key of secondary/generate-public-key',
  ),
  foreignActivationToken: refusal(
    'The refusal of a text that is not an activation token, or is encrypted for another public key.',
    'and nothing is changed.',
    () => 'token is not an activation token for this cluster',
  ),
  deadActivationToken: refusal(
    'The refusal of an encrypted activation token that has expired or was revoked, since nothing is unwrapped.',
    'with the text for wrapped tokens, and nothing is changed. Revocation is only noticed if the primary can be reached; ' +
      'otherwise the secondary clears its data and is refused later.',
    () => 'error response unwrapping secondary token; status code is 400, message is "400 Bad Request"',
    500,
  ),
  primaryApiAddress: refusal(
    "The refusal of a primary's API address that is not a URL.",
    'with a text that shows the address.',
    (address: string) => `primary API address "${address}" is not an http or https URL`,
  ),
  unreadableCa: refusal(
    'The refusal of a `ca_file` or `ca_path` that cannot be read.',
    'with a text that shows the path; the token is not used up.',
    (path: string, reason: string) => `error reading CA "${path}": ${reason}`,
  ),
  otherReplicationSet: refusal(
    'The refusal of an `update-primary` with a token of another replication set.',
    'with a text that names the other set; the token is used up, and nothing else is changed.',
    (clusterId: string) =>
      `the token belongs to another replication set, "${clusterId}": disable replication and enable it with a token to join that one`,
  ),
  primaryAddresses: refusal(
    'The refusal of `update_primary_addrs` if no address answers.',
    'with a text that shows the addresses. The primary of another set counts as no answer.',
    (addresses: readonly string[]) =>
      `no primary of this replication set answers at any of update_primary_addrs: ${addresses.join(', ')}`,
  ),
  promotionChecks: {
    open: 'The safety checks of a promotion.',
    alternatives: {
      position: {
        says:
          'Refused with 503 unless the secondary is connected and up to date, or was so when the primary was demoted or ' +
          'disabled, or is the demoted primary itself. A secondary that lost its primary cannot know, and has to be ' +
          'forced.',
        status: 503,
        checked: true,
      },
      'position-400': { says: 'The same, refused with 400.', status: 400, checked: true },
      none: { says: 'None: every secondary is promoted.', status: 503, checked: false },
    },
  },
  forwardingFailed: refusal(
    'The response of a secondary that cannot forward a write.',
    'with a text that names the primary.',
    (address: string) =>
      `error forwarding the request to the primary: ${address === '' ? 'no primary is known' : `${address} cannot be reached`}`,
    503,
  ),
  localEngineWithoutPrimary: {
    open: 'The creation of a local secrets engine on a secondary that has no connection to a primary.',
    alternatives: {
      accepted: { says: 'The engine is mounted, as on a secondary that follows a primary.', accepted: true },
      refused: { says: 'Refused with the response to a write that cannot be forwarded.', accepted: false },
    },
  },
  forwardingPatience: {
    open: 'The response of a secondary if a change that it forwarded does not arrive soon.',
    alternatives: {
      'two-seconds': { says: 'After two seconds, 200 with a warning.', ms: 2_000 },
      none: { says: '200 with a warning, immediately.', ms: 0 },
    },
  },
  heartbeatDetails: {
    open: 'The first version that shows the details of heartbeats in the replication status.',
    alternatives: {
      '1.17': { says: '1.17.', since: [1, 17] as Since },
      later: { says: 'None so far.', since: NEVER },
    },
  },
  replicationWal: {
    open: 'The initial number of writes when a primary is enabled. Every replicated write adds one.',
    alternatives: {
      entries: { says: 'The number of replicated entries.', first: (entries: number) => entries },
      zero: { says: 'With 0.', first: (_entries: number) => 0 },
    },
  },
} as const satisfies Readonly<Record<string, Assumption>>;
