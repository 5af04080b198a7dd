import { type ReplicationCallName, REPLICATION_CALLS } from './calls';
import { type ReplicationMode, REPLICATION_MODES } from './modes';

const BRIEFLY = 'Vault will be unavailable for a brief period and will resume service shortly.';

/** The server's warnings when a cluster changes its mode. */
export const REPLICATION_WARNINGS = {
  primaryEnabled: `This cluster is being enabled as a primary for replication. ${BRIEFLY}`,
  demoted: `This cluster is being demoted to a replication secondary. ${BRIEFLY}`,
  promoted: `This cluster is being promoted to a replication primary. ${BRIEFLY}`,
  disabled: `This cluster is having replication disabled. ${BRIEFLY}`,
  secondaryEnabled:
    'Vault has successfully found secondary information; it may take a while to perform setup tasks. ' +
    'Vault will be unavailable until these tasks and initial sync complete.',
} as const;

/**
 * The effect on the id of the replication set that a cluster reports. `new`: the cluster gets
 * another id; `kept`: the id stays; `dropped`: the cluster has no id until it is enabled again;
 * `of_primary`: the cluster gets the primary's id.
 */
export type ClusterIdEffect = 'new' | 'kept' | 'dropped' | 'of_primary';

/** A change of a cluster's mode. */
export interface Transition {
  readonly from: ReplicationMode;
  /** Whether `from` is an assumption, because the interface document does not name this mode. */
  readonly fromAssumed?: boolean;
  readonly trigger: ReplicationCallName;
  /** The condition for the change. Absent if the interface document names none. */
  readonly condition?: string;
  readonly to: ReplicationMode;
  /** Further effects, as sentences. */
  readonly effects: readonly string[];
  /** Whether all data of the cluster is deleted, including its tokens. */
  readonly wipesData: boolean;
  readonly clusterId: ClusterIdEffect;
  /**
   * Whether the call requires an activation token. `optional`: it can have other fields instead.
   */
  readonly needsToken: boolean | 'optional';
  /** Whether the cluster is unavailable for a while after its answer. */
  readonly interruptsService: boolean;
  /** The text of the server's warning. */
  readonly warning?: string;
}

/** All changes of mode. */
export const REPLICATION_TRANSITIONS: readonly Transition[] = [
  {
    from: 'disabled',
    trigger: 'enablePrimary',
    condition: 'replication is disabled',
    to: 'primary',
    effects: [
      'A cluster that is already a secondary must be promoted instead.',
      'Only one primary should be active at a time: several may lose data.',
    ],
    wipesData: false,
    clusterId: 'new',
    needsToken: false,
    interruptsService: true,
    warning: REPLICATION_WARNINGS.primaryEnabled,
  },
  {
    from: 'primary',
    trigger: 'demotePrimary',
    to: 'secondary',
    effects: [
      'The cluster does not try to reach a primary.',
      'It keeps its cluster id, and can join the same replication set again without losing its data.',
    ],
    wipesData: false,
    clusterId: 'kept',
    needsToken: false,
    interruptsService: true,
    warning: REPLICATION_WARNINGS.demoted,
  },
  {
    from: 'primary',
    trigger: 'disablePrimary',
    to: 'disabled',
    effects: [
      'Secondaries can no longer connect.',
      'Enabling it again, as primary or secondary, changes the cluster id.',
      'Secondaries that connect to a re-enabled primary lose their data.',
    ],
    wipesData: false,
    clusterId: 'dropped',
    needsToken: false,
    interruptsService: true,
    warning: REPLICATION_WARNINGS.disabled,
  },
  {
    from: 'secondary',
    trigger: 'promoteSecondary',
    condition: 'the safety checks pass, or `force` is true',
    to: 'primary',
    effects: [
      'Other secondaries need new activation tokens.',
      'There must never be more than one primary.',
      'With `force`, data that has not arrived yet may be lost.',
    ],
    wipesData: false,
    clusterId: 'kept',
    needsToken: false,
    interruptsService: true,
    warning: REPLICATION_WARNINGS.promoted,
  },
  {
    from: 'secondary',
    trigger: 'disableSecondary',
    to: 'disabled',
    effects: [
      'The cluster can no longer connect to the primary.',
      'Enabling it again changes the cluster id.',
      'Enabled as a secondary again, it loses its data when it connects to a primary.',
    ],
    wipesData: false,
    clusterId: 'dropped',
    needsToken: false,
    interruptsService: true,
    warning: REPLICATION_WARNINGS.disabled,
  },
  {
    from: 'secondary',
    trigger: 'updatePrimary',
    condition: 'a valid token, `update_primary_addrs`, or a blank token',
    to: 'secondary',
    effects: ['No data is lost.', 'A blank token makes the cluster forget its previous primary.'],
    wipesData: false,
    clusterId: 'kept',
    needsToken: 'optional',
    interruptsService: false,
  },
  {
    from: 'disabled',
    fromAssumed: true,
    trigger: 'enableSecondary',
    condition: 'a valid activation token',
    to: 'secondary',
    effects: [
      'All data in the cluster is erased immediately.',
      'All tokens of the cluster are erased as well.',
    ],
    wipesData: true,
    clusterId: 'of_primary',
    needsToken: true,
    interruptsService: true,
    warning: REPLICATION_WARNINGS.secondaryEnabled,
  },
];

/** Returns the change of mode that a call causes, if any. */
export function transitionOf(trigger: ReplicationCallName): Transition | undefined {
  return REPLICATION_TRANSITIONS.find((transition) => transition.trigger === trigger);
}

/** Returns the modes of a cluster in which a call is possible. */
export function modesOfCall(name: ReplicationCallName): readonly ReplicationMode[] {
  if (name === 'status') return REPLICATION_MODES;
  // A cluster generates its key before it becomes a secondary, or before it follows another
  // primary.
  if (name === 'generatePublicKey') return ['disabled', 'secondary'];
  const transition = transitionOf(name);
  if (transition !== undefined) return [transition.from];
  return [REPLICATION_CALLS[name].path.startsWith('primary/') ? 'primary' : 'secondary'];
}
