import type { AutoSnapshot, AutoSnapshotFields } from '../../client';
import { AUTO_SNAPSHOT } from '../../model';
import {
  backedAttributes,
  backedBlocks,
  backedShown,
  backedShownAttributes,
  backendsIn,
  callsOn,
  describeBlocks,
  identificationOf,
  plannedBackend,
  refuseLaterFields,
  reportBackedVersions,
  secretsLeftOut,
  validateBacked,
  type ListedKind,
  type ResourceKind,
} from '../objects';
import {
  fieldsToWrite,
  foreignSecrets,
  storedFieldsOf,
  serverSecrets,
  holds,
  overwriting,
  snapshotState,
  writeOnlySecrets,
} from './auto-snapshot-fields';
import { changedSecrets, rememberSecrets } from './secret-digests';

const IDENTIFICATION = identificationOf(AUTO_SNAPSHOT);

/** How configurations of automated snapshots are planned, read and written. */
export const AUTO_SNAPSHOT_KIND: ListedKind & ResourceKind<AutoSnapshot, Partial<AutoSnapshotFields>> = {
  definition: AUTO_SNAPSHOT,
  plural: { name: 'auto_snapshots', title: `${AUTO_SNAPSHOT.title}s` },
  identification: IDENTIFICATION,
  calls: ({ autoSnapshots }, { name }) => callsOn(autoSnapshots, name),

  description: `${AUTO_SNAPSHOT.doc} ${describeBlocks(AUTO_SNAPSHOT)}`,
  attributes: backedAttributes(AUTO_SNAPSHOT),
  blocks: backedBlocks(AUTO_SNAPSHOT),
  validate: (config, context) => void validateBacked(AUTO_SNAPSHOT, config, context),

  // Only the location is moved: the first read adds the other attributes, as after an import.
  movedFrom: {
    vault_raft_snapshot_agent_config: ({ namespace, name }) => ({ namespace: namespace ?? null, name }),
  },

  toRequest: ({ plan, config }) => fieldsToWrite(plan, config),
  holds,

  /**
   * Servers return secrets in plain text. The stored digests of write-only secrets show whether
   * someone has changed them outside of Terraform.
   */
  async toState(stored, prior, { privateState }) {
    const isImported = backendsIn(AUTO_SNAPSHOT, prior).length === 0;
    if (isImported) await rememberSecrets(serverSecrets(stored), privateState);
    const changed = isImported ? [] : await changedSecrets({ ...stored }, privateState);
    return snapshotState(stored, prior, changed);
  },

  computed: (plan) => plannedBackend(AUTO_SNAPSHOT, plan),

  async plan({ config, state, plan }, context) {
    reportBackedVersions(AUTO_SNAPSHOT, { config, state }, context);
    await refuseLaterFields(AUTO_SNAPSHOT, { plan, state }, context);
    return plan;
  },

  async update(snapshot, { plan, config, state }) {
    const wanted = fieldsToWrite(plan, config);
    const stored = await snapshot.read('update');
    const foreign = foreignSecrets(plan, state);
    await snapshot.write('update', stored ? overwriting(stored, wanted, foreign) : wanted);
  },

  async afterWrite(_snapshot, { plan, config }, { privateState }) {
    const left = secretsLeftOut(AUTO_SNAPSHOT, config);
    await rememberSecrets(writeOnlySecrets(plan, config), privateState, left);
    return plan;
  },
};

/** The attributes of the data source for one configuration. */
export const AUTO_SNAPSHOT_SHOWN = {
  singular: `configuration of ${AUTO_SNAPSHOT.title}s`,
  shownAttributes: backedShownAttributes(AUTO_SNAPSHOT),
  toShown: (stored: AutoSnapshot) => backedShown(AUTO_SNAPSHOT, storedFieldsOf(stored)),
};
