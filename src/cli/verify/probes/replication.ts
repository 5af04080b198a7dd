import type { RefusalName } from '../../../emulator/assume';
import type { REPLICATION_ASSUMPTIONS } from '../../../emulator/assume/replication';
import { mayLoseDataByUpdatePrimary, PERFORMANCE_PATH } from '../../../model';
import { isRecord } from '../../../text';
import { KV, type DisposableMember, pauseAfter, type ReplicationSet } from '../set';
import { type UnchangedAnswer, type AnswerFields, NoAnswer } from '../wire';
import { judgeRefusal } from './judge-refusal';
import { judgeSince, type Probes, type Seen, type ServerVersion } from './probe';
import { prepared } from '../unseen';

const PAUSE = 100;
/** The maximum time for which a cluster may be unavailable, in milliseconds. */
const LONGEST = 300_000;
/**
 * An interruption below the first limit counts as brief, above the second as long, in milliseconds.
 */
const BRIEF = 15_000;
const LONG = 30_000;
/** The time limit in milliseconds for an observation that may never be made. */
const LOOK = 10_000;

/**
 * An address at which no cluster listens: a token with this address does not lead to its primary.
 */
const NOWHERE = 'https://127.0.0.1:1';
/** The TTL in seconds of a token that has to expire during the probe. */
const SHORT_TTL = 5;

/** The probes of the assumptions about performance replication. */
export const REPLICATION_PROBES: Probes<keyof typeof REPLICATION_ASSUMPTIONS> = {
  unavailability: {
    where: 'set',
    see: async (set) => {
      const { refusal } = await interruption(set);
      return refusal === undefined
        ? { unseen: 'the cluster answered all the time' }
        : judgeRefusal('unavailability', refusal, { mayBeAnyStatus: true });
    },
  },
  interruption: {
    where: 'set',
    underWrites: true,
    see: async (set) => {
      const { ms } = await interruption(set);
      const measured = { ms };
      if (ms < BRIEF) return { alternative: 'brief', words: `${ms} ms`, measured };
      if (ms > LONG) return { alternative: 'long', words: `${ms} ms`, measured };
      return { otherwise: `${ms} ms`, measured };
    },
  },
  nodeAtAddress: {
    where: 'nowhere',
    see: async ({ server }) => {
      const { status } = await server.root().get('sys/health');
      if (status === 200) return { alternative: 'active' };
      if (status === 473) return { alternative: 'performance-standby' };
      if (status === 472) return { alternative: 'dr-secondary' };
      return status === 429 ? { otherwise: 'a standby' } : { unseen: `sys/health responds ${status}` };
    },
  },
  lastRemoteWal: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      await write(set, 3);
      set.changed();
      await set.pair();
      const primary = await set.status(set.first);
      const quiet = (await set.status(set.second))['last_remote_wal'];
      await write(set, 3);
      const after = (await set.status(set.first))['last_performance_wal'];
      await set.statusWhen(set.second, (status) => status['last_remote_wal'] === after, 'to follow writes');
      if (quiet === 0) return { alternative: 'zero' };
      if (quiet === primary['last_performance_wal']) return { alternative: 'position' };
      return { otherwise: `neither 0 nor the primary's position: ${String(quiet)}` };
    },
  },
  filteredRoots: {
    where: 'set',
    see: async (set) => {
      await set.pair({ mode: 'deny', paths: [`${KV}/`] });
      const root = async (member: DisposableMember) => (await set.status(member))['merkle_root'];
      if (typeof (await root(set.second)) !== 'string') return { unseen: 'the status has no merkle_root' };
      for (const ends = set.now() + LOOK; set.now() < ends; await set.wait(PAUSE)) {
        if ((await root(set.second)) === (await root(set.first))) return { alternative: 'equal' };
      }
      return { alternative: 'own' };
    },
  },
  statusRoot: {
    where: 'set',
    underWrites: true,
    see: async (set) => {
      await set.primary();
      return rootIn(await set.status(set.first));
    },
    inStatus: rootIn,
  },
  secondaryIdAfterDemotion: {
    where: 'set',
    underWrites: true,
    see: async (set) => {
      const { secondary_id: id } = await demotedAgain(set);
      if (id === '' || id === undefined) return { alternative: 'empty' };
      return id === set.idOf(set.second) ? { alternative: 'kept' } : { otherwise: 'another id' };
    },
  },
  addressesAfterDemotion: {
    where: 'set',
    see: async (set) => {
      const { known_primary_cluster_addrs: addresses } = await demotedAgain(set);
      return { alternative: Array.isArray(addresses) && addresses.length > 0 ? 'kept' : 'empty' };
    },
  },
  disconnectedState: {
    where: 'set',
    underWrites: true,
    see: async (set) => {
      await set.pair();
      set.changed();
      await prepared(set.call(set.first, 'primary/disable'), 'replication cannot be disabled');
      const { state } = await set.statusWhen(
        set.second,
        isDisconnected,
        'to notice that its primary is gone',
      );
      if (state === 'stream-wals') return { alternative: 'streaming' };
      return state === 'idle' ? { alternative: 'idle' } : { otherwise: String(state) };
    },
  },
  standbysAfterJoin: { unseen: 'only standbys with addresses of their own can tell' },
  healthOfDrSecondary: {
    where: 'nowhere',
    see: async ({ server }) => {
      const { status, body } = await server.root().get('sys/health');
      if (status !== 472) return { unseen: 'only a disaster recovery secondary can tell' };
      const { replication_performance_mode: mode } = body;
      if (mode === 'disabled' || mode === 'primary') return { alternative: mode };
      return { otherwise: String(mode) };
    },
  },
  primaryEnabledAgain: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      const { status } = await set.call(set.first, 'primary/enable');
      if (status < 300) set.changed();
      return { alternative: status < 300 ? 'updated' : 'refused' };
    },
  },
  tokensAfterUpdatePrimary: { unseen: 'only a switchover with a token that nobody else uses can tell' },
  filterAfterNewToken: {
    where: 'set',
    see: (set) =>
      onPrimary(set, 'verify-filtered', async () => {
        const filter = `${PERFORMANCE_PATH}/primary/paths-filter/verify-filtered`;
        const server = await set.use(set.first);
        await prepared(server.post(filter, { mode: 'deny', paths: [`${KV}/`] }), 'no paths filter');
        await set.issueWrapped('verify-filtered');
        const { status, body } = await server.get(filter);
        await server.delete(filter);
        const { paths = [] } = (body['data'] ?? {}) as { readonly paths?: readonly string[] };
        return { alternative: status === 200 && paths.length > 0 ? 'kept' : 'dropped' };
      }),
  },
  revocationOfUnknownId: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      const { status } = await set.call(set.first, 'primary/revoke-secondary', { id: 'verify-nobody' });
      if (status < 300) return { alternative: 'success' };
      return status === 400 ? { alternative: 'refused' } : { otherwise: String(status) };
    },
  },
  clusterIdAfterJoin: {
    where: 'set',
    see: async (set) => {
      await set.alone();
      const id = async () => (await set.second.server.get('sys/health')).body['cluster_id'];
      const before = await id();
      await set.pair();
      await set.use(set.second);
      return { alternative: (await id()) === before ? 'kept' : 'renewed' };
    },
  },
  tokensAfterDemotion: {
    where: 'set',
    underWrites: true,
    see: async (set) => {
      await set.primary();
      const server = await set.use(set.first);
      const { body } = await prepared(server.post('auth/token/create', { ttl: '1h' }), 'no token');
      const { client_token: token } = body['auth'] as { client_token: string };
      set.changed();
      await prepared(set.call(set.first, 'primary/demote'), 'the primary cannot be demoted');
      await set.statusWhen(set.first, ({ mode }) => mode === 'secondary', 'to be demoted');
      await set.use(set.first);
      const { status } = await set.first.server.as(token).get('auth/token/lookup-self');
      return { alternative: status === 200 ? 'kept' : 'revoked' };
    },
  },
  updatePrimaryData: {
    where: 'set',
    see: async (set, { version }) => {
      if (!mayLoseDataByUpdatePrimary(version.text)) {
        return { unseen: 'only versions with the known issue can tell' };
      }
      await set.pair({ mode: 'allow', paths: [`${KV}/`, 'auth/vault-admin-verify/'] });
      const id = set.idOf(set.second);
      await set.revoke(id);
      const token = await set.issueToken(set.second, id);
      await prepared(set.call(set.second, 'secondary/update-primary', { token }), 'no other primary');
      await set.streams(set.second);
      const { status } = await (await set.use(set.second)).get(`${KV}/it`);
      return { alternative: status === 200 ? 'kept' : 'lost' };
    },
  },
  corruptionFields: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      return corruptionIn(await set.status(set.first));
    },
    inStatus: corruptionIn,
  },
  lateContact: {
    where: 'set',
    see: async (set) => {
      await set.pair();
      set.changed();
      await prepared(set.call(set.first, 'primary/demote'), 'the primary cannot be demoted');
      await set.statusWhen(set.first, ({ mode }) => mode === 'secondary', 'to be demoted');
      const promotion = { primary_cluster_addr: NOWHERE, force: true };
      await prepared(set.call(set.first, 'secondary/promote', promotion), 'nobody can be promoted');
      await set.statusWhen(set.first, ({ mode }) => mode === 'primary', 'to be promoted');
      const token = await set.issueToken(set.second, set.idOf(set.second), { ttl: SHORT_TTL });
      await prepared(set.call(set.second, 'secondary/update-primary', { token }), 'no other primary');
      await set.wait(2 * SHORT_TTL * 1000);
      const { leader_cluster_address: address } = (await (await set.use(set.first)).get('sys/leader')).body;
      const contact = { update_primary_addrs: [address] };
      await prepared(set.call(set.second, 'secondary/update-primary', contact), 'no other address');
      for (const ends = set.now() + LOOK; set.now() < ends; await set.wait(PAUSE)) {
        if (!isDisconnected(await set.status(set.second))) return { alternative: 'accepted' };
      }
      return { alternative: 'refused' };
    },
  },
  missingFilter: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      const server = await set.use(set.first);
      const { status } = await server.get(`${PERFORMANCE_PATH}/primary/paths-filter/verify-nobody`);
      if (status === 200) return { alternative: 'empty' };
      return status === 404 ? { alternative: 'not-found' } : { otherwise: String(status) };
    },
  },
  removalOfMissingFilter: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      const server = await set.use(set.first);
      const { status } = await server.delete(`${PERFORMANCE_PATH}/primary/paths-filter/verify-nobody`);
      if (status < 300) return { alternative: 'success' };
      return status === 404 ? { alternative: 'refused' } : { otherwise: String(status) };
    },
  },
  wrongReplicationMode: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      return judgeRefusal('wrongReplicationMode', await set.call(set.first, 'secondary/promote'), {
        about: ['primary', ['secondary']],
        names: ['primary'],
        isText: false,
      });
    },
  },
  secondaryIdInUse: {
    where: 'set',
    see: (set) =>
      onPrimary(set, 'verify-used', async () => {
        await set.issueWrapped('verify-used');
        const again = await set.call(set.first, 'primary/secondary-token', { id: 'verify-used' });
        return judgeRefusal('secondaryIdInUse', again, { about: ['verify-used'] });
      }),
  },
  badPublicKey: {
    where: 'set',
    see: (set) =>
      onPrimary(set, 'verify-key', async () => {
        const fields = { id: 'verify-key', secondary_public_key: Buffer.from('verify').toString('base64') };
        return judgeRefusal('badPublicKey', await set.call(set.first, 'primary/secondary-token', fields));
      }),
  },
  foreignActivationToken: {
    where: 'set',
    see: async (set) => {
      await set.alone();
      return joinRefusal(set, 'foreignActivationToken', { token: Buffer.from('verify').toString('base64') });
    },
  },
  deadActivationToken: {
    where: 'set',
    see: (set) =>
      onPrimary(set, 'verify-dead', async () => {
        const token = await set.issueToken(set.second, 'verify-dead');
        await set.revoke('verify-dead');
        return joinRefusal(set, 'deadActivationToken', { token });
      }),
  },
  primaryApiAddress: {
    where: 'set',
    see: (set) =>
      onPrimary(set, 'verify-address', async () => {
        const token = await set.issueWrapped('verify-address');
        const address = 'verify-no-url';
        return joinRefusal(set, 'primaryApiAddress', { token, primary_api_addr: address }, [address]);
      }),
  },
  unreadableCa: {
    where: 'set',
    see: (set) =>
      onPrimary(set, 'verify-ca', async () => {
        const token = await set.issueWrapped('verify-ca');
        const file = '/verify/missing.pem';
        return joinRefusal(set, 'unreadableCa', { token, ca_file: file }, [file]);
      }),
  },
  otherReplicationSet: {
    where: 'set',
    see: async (set) => {
      await set.pair();
      set.changed();
      await prepared(set.call(set.first, 'primary/disable'), 'replication cannot be disabled');
      await set.statusWhen(set.first, ({ mode }) => mode === 'disabled', 'to disable replication');
      await prepared(set.call(set.first, 'primary/enable'), 'replication cannot be enabled');
      const { cluster_id } = await set.statusWhen(
        set.first,
        ({ mode }) => mode === 'primary',
        'to be a primary',
      );
      const token = await set.issueToken(set.second, 'verify-other');
      const answer = await set.call(set.second, 'secondary/update-primary', { token });
      return judgeRefusal('otherReplicationSet', answer, { about: [cluster_id] });
    },
  },
  primaryAddresses: {
    where: 'set',
    see: async (set) => {
      await set.pair();
      set.changed();
      const addresses = [NOWHERE];
      const fields = { update_primary_addrs: addresses };
      const answer = await set.call(set.second, 'secondary/update-primary', fields);
      return judgeRefusal('primaryAddresses', answer, { about: [addresses] });
    },
  },
  promotionChecks: {
    where: 'set',
    underWrites: true,
    see: async (set) => {
      await disconnectSecondary(set);
      const { status } = await set.call(set.second, 'secondary/promote');
      if (status < 300) return { alternative: 'none' };
      if (status === 503) return { alternative: 'position' };
      if (status === 400) return { alternative: 'position-400' };
      return { otherwise: String(status), measured: { status } };
    },
  },
  forwardingFailed: {
    where: 'set',
    see: async (set) => {
      const { primary_cluster_addr: address } = await disconnectSecondary(set);
      const answer = await (await set.use(set.second)).post(`${KV}/forwarded`, { value: 'verify' });
      return judgeRefusal('forwardingFailed', answer, { about: [address], mayBeAnyStatus: true });
    },
  },
  localEngineWithoutPrimary: {
    where: 'set',
    see: async (set) => {
      await demotedAgain(set);
      const server = await set.use(set.second);
      const { status } = await server.post('sys/mounts/verify-local', { type: 'kv', local: true });
      await server.delete('sys/mounts/verify-local');
      return { alternative: status < 300 ? 'accepted' : 'refused' };
    },
  },
  forwardingPatience: { unseen: 'only clusters with a slow network between them can tell' },
  heartbeatDetails: {
    where: 'set',
    see: async (set, { version }) => {
      await set.pair();
      return heartbeatsIn(await set.status(set.first), version);
    },
    inStatus: (status, { version }) => heartbeatsIn(status, version),
  },
  replicationWal: {
    where: 'set',
    see: async (set) => {
      await set.primary();
      return { alternative: set.firstWal === 0 ? 'zero' : 'entries' };
    },
  },
};

function rootIn(status: AnswerFields): Seen<'statusRoot'> {
  return { alternative: 'merkle_root' in status ? 'reported' : 'absent' };
}

function corruptionIn(status: AnswerFields): Seen<'corruptionFields'> {
  return { alternative: 'corrupted_merkle_tree' in status ? 'reported' : 'absent' };
}

/**
 * Reads the details of heartbeats in the status of a primary with secondaries, or of a secondary
 * with its primary.
 */
function heartbeatsIn(
  { secondaries, primaries }: AnswerFields,
  version: ServerVersion,
): Seen<'heartbeatDetails'> {
  const [other] = [secondaries, primaries].flat().filter(isRecord);
  if (other === undefined) return { unseen: 'the status names no other cluster' };
  return judgeSince('heartbeatDetails', version, 'replication_primary_canary_age_ms' in other);
}

/** Writes to the first cluster, as the clients of a busy cluster do. */
async function write(set: ReplicationSet, times: number): Promise<void> {
  const server = await set.use(set.first);
  for (let i = 0; i < times; i++) {
    await prepared(server.post(`${KV}/it`, { value: `verify ${i}` }), 'KV cannot be written');
  }
}

/**
 * Changes the mode of a cluster, and waits until it serves again. Returns its first refusal, and
 * the duration.
 */
async function interruption(
  set: ReplicationSet,
): Promise<{ refusal: UnchangedAnswer | undefined; ms: number }> {
  await set.alone();
  const server = await set.use(set.first);
  set.changed();
  await prepared(set.call(set.first, 'primary/enable'), 'replication cannot be enabled');
  const began = set.now();
  let refusal: UnchangedAnswer | undefined;
  while (set.now() < began + LONGEST) {
    const answer = await server.get('sys/mounts').catch((error: unknown) => {
      if (error instanceof NoAnswer) return undefined;
      throw error;
    });
    if (answer?.status === 200) break;
    // A standby that has not caught up gives another answer, which does not count.
    if (answer !== undefined && answer.status !== 412) refusal ??= answer;
    await set.wait(pauseAfter(set.now() - began));
  }
  return { refusal, ms: Math.round(set.now() - began) };
}

/**
 * Promotes the second cluster, and demotes it again.
 *
 * @returns its status without a primary.
 */
async function demotedAgain(set: ReplicationSet) {
  await set.pair();
  set.changed();
  await prepared(set.call(set.first, 'primary/demote'), 'the primary cannot be demoted');
  await set.statusWhen(set.first, ({ mode }) => mode === 'secondary', 'to be demoted');
  await prepared(set.call(set.second, 'secondary/promote', { force: true }), 'nobody can be promoted');
  await set.statusWhen(set.second, ({ mode }) => mode === 'primary', 'to be promoted');
  await prepared(set.call(set.second, 'primary/demote'), 'the primary cannot be demoted');
  return set.statusWhen(set.second, ({ mode }) => mode === 'secondary', 'to be demoted');
}

/**
 * Disconnects a secondary from its primary, which continues without it.
 *
 * @returns the status of the secondary.
 */
async function disconnectSecondary(set: ReplicationSet) {
  await set.pair();
  set.changed();
  await set.revoke(set.idOf(set.second));
  await write(set, 1);
  return set.statusWhen(set.second, isDisconnected, 'to notice that it was revoked');
}

function isDisconnected({ connection_state: state }: Readonly<Record<string, unknown>>): boolean {
  return state !== 'ready';
}

/** Runs an observation on a primary, and then revokes the secondary id that it used. */
async function onPrimary<Result>(
  set: ReplicationSet,
  id: string,
  look: () => Promise<Result>,
): Promise<Result> {
  await set.primary();
  try {
    return await look();
  } finally {
    await set.revoke(id);
  }
}

/** Makes the second cluster join with fields that it should refuse, and judges the refusal. */
async function joinRefusal<Name extends RefusalName>(
  set: ReplicationSet,
  name: Name,
  fields: object,
  about: readonly unknown[] = [],
): Promise<Seen<Name>> {
  const answer = await set.call(set.second, 'secondary/enable', fields);
  if (answer.status < 300) set.changed();
  return judgeRefusal(name, answer, { about, mayBeAnyStatus: true });
}
