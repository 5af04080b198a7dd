import {
  describeReplicationStatus,
  haveSameData,
  isStreaming,
  rootOf,
  VaultError,
  type CallOptions,
  type ReplicationStatus,
  type VaultClient,
} from '../../../client';
import {
  MOUNTS_PATH,
  PROMOTION_MOUNT,
  PROMOTION_MOUNT_PATH,
  SWITCHOVER_POLICY,
  TAKEOVER_POLICY,
  type FilterMode,
} from '../../../model';
import { DiagnosticError } from '../../../plugin';
import type { RequestContext } from '../../objects';
import { heldData } from '../shared/held-data';
import { isSettled, Member, type MemberSubject } from '../shared/member';
import {
  NOTE_PATHS,
  type AnswerTo,
  type Level,
  type Look,
  type NoteKind,
  type Procedure,
  type Request,
  type RequestKind,
  type RequestOf,
} from './decide';
import { quote, type Observation } from './planner';

/** The time in milliseconds within which an answer counts as given without an interruption. */
const QUICK = 1_000;

/**
 * The options of calls about the note of a promotion: the set has no primary meanwhile, and the
 * promotion does not depend on the note.
 */
const BRIEFLY: CallOptions = { timeout: 3 };

/** Milliseconds between two reads that look for a moment without writes: such moments are short. */
const LEVEL_PAUSE = 50;

/** Makes the requests of procedures to the clusters of the provider's configuration. */
export class Performer {
  readonly #context: RequestContext;
  readonly #subject: MemberSubject;
  readonly #onReached: (observation: Observation) => void;

  /** @param onReached stores the result after each step */
  constructor(
    context: RequestContext,
    subject: MemberSubject,
    onReached: (observation: Observation) => void = () => undefined,
  ) {
    this.#context = context;
    this.#subject = subject;
    this.#onReached = onReached;
  }

  /**
   * Runs a procedure to its end.
   *
   * @throws DiagnosticError or VaultError if the procedure fails
   */
  async run<T>(procedure: Procedure<T>): Promise<T> {
    let next = procedure.next();
    while (!next.done) {
      const request = next.value;
      let answer: unknown;
      try {
        answer = await this.#answer(request);
      } catch (error) {
        next = procedure.throw(error);
        continue;
      }
      next = procedure.next(answer);
    }
    return next.value;
  }

  member(cluster: string): Member {
    return new Member(cluster, this.#subject, this.#context);
  }

  /** Keeps a secret out of logs and messages. */
  mask(secret: string): void {
    this.#context.mask(secret);
  }

  async #answer(request: Request): Promise<unknown> {
    switch (request.kind) {
      case 'all':
        return Promise.all(request.procedures.map((each) => this.run(each)));
      case 'stopped':
        return this.#context.signal.aborted;
      case 'log':
        return this.#context.log[request.level](`${this.#subject.title}: ${request.text}`);
      case 'reached':
        return this.#onReached(request.observation);
      case 'between_steps':
        return undefined;
      default:
        return this.#ask(request);
    }
  }

  #ask<K extends RequestKind>(request: RequestOf<K>): Promise<AnswerTo<K>> {
    const answer = ANSWERS[request.kind] as (
      member: Member,
      request: RequestOf<K>,
      performer: Performer,
    ) => Promise<AnswerTo<K>>;
    return answer(this.member(request.cluster), request, this);
  }
}

/** The functions that make each request. Their verbs follow `cannot` in messages. */
const ANSWERS: {
  readonly [K in RequestKind]: (
    member: Member,
    request: RequestOf<K>,
    performer: Performer,
  ) => Promise<AnswerTo<K>>;
} = {
  status: (member, { timeout }) => member.status(timeout),
  primary_status: (member) => member.primaryStatus(),
  look: (member, { timeout }) => lookAt(member, timeout),
  health: (member) => member.health(),
  cluster_address: (member) => member.clusterAddress(),
  describe,

  log_in: (member) => member.logIn(),
  renew_login: (member, { seconds }) => member.loginLasting(seconds),
  capabilities: (member, { paths }) =>
    member.call('check the rights of the token for', (_, client) => client.system.capabilitiesSelf(paths)),
  held_data: (member) => member.call('look for data on', (_, client) => heldData(client, {})),
  read_note: (member, { of }) => member.call(`read ${NOTES[of].name}`, (_, client) => NOTES[of].read(client)),
  write_note: (member, { of, text }) =>
    member.call(NOTES[of].writing, (_, client) => NOTES[of].write(client, text).then(nothing)),
  delete_note: (member, { of }) =>
    member.call(`delete ${NOTES[of].name}`, (_, client) =>
      client.delete(NOTE_PATHS[of], NOTES[of].options).then(nothing),
    ),
  read_filter: (member, { id }) =>
    member.call(
      `read the paths filter of secondary ${quote(id)} of`,
      async (calls) => (await calls.readPathsFilter(id))?.data ?? null,
    ),
  withheld: (member, { id, side }) =>
    member.call('read the dynamic filter of', async (calls) => {
      const view = await (side === 'primary'
        ? calls.primaryDynamicFilter(id)
        : calls.secondaryDynamicFilter(id));
      return [
        ...(view?.data.dynamic_filtered_mounts ?? []),
        ...(view?.data.dynamic_filtered_namespaces ?? []),
      ];
    }),
  write_filter: (member, { id, filter: { mode, paths } }) =>
    member.call(`write the paths filter of secondary ${quote(id)} of`, (calls) =>
      calls.writePathsFilter(id, { mode: mode as FilterMode, paths }).then(nothing),
    ),
  delete_filter: (member, { id }) =>
    member.call(`remove the paths filter of secondary ${quote(id)} of`, (calls) =>
      calls.deletePathsFilter(id).then(nothing),
    ),
  public_key: (member) =>
    member.call(
      'make a public key on',
      async (calls) => (await calls.generatePublicKey()).data.secondary_public_key,
    ),
  issue_token: (member, { id, ttl, key }, performer) =>
    member.call('issue an activation token by', async (calls) => {
      const fields = { id, ttl, ...(key !== undefined && { secondary_public_key: key }) };
      const { data } = await calls.secondaryToken(fields);
      performer.mask(data.token);
      return data;
    }),
  revoke: (member, { id }) =>
    member.call(`revoke secondary ${quote(id)} of`, (calls) => calls.revokeSecondary(id).then(nothing)),
  enable_primary: (member, { fields }) =>
    member.call('make a primary of', (calls) => calls.enablePrimary(fields).then(nothing)),
  demote: (member) => member.call('demote', (calls) => calls.demotePrimary().then(nothing)),
  promote: (member, { fields, force }) =>
    member.call('promote', (calls) => calls.promoteSecondary({ ...fields, force }).then(nothing)),
  enable_secondary: async (member, { token, contact }) => {
    try {
      await member.call('make a secondary of', (calls) => calls.enableSecondary({ token, ...contact }));
    } finally {
      // The login is forgotten even if the answer was lost: the cluster may be erased together with
      // its tokens.
      member.forgetLogin();
    }
  },
  update_primary: (member, { token, contact }) =>
    member.call('change the primary of', (calls) => calls.updatePrimary({ token, ...contact }).then(nothing)),
  update_primary_address: (member, { address }) =>
    member.call(`change the address of the primary (to ${address}) on`, (calls) =>
      calls.updatePrimary({ update_primary_addrs: [address] }).then(nothing),
    ),
  disable_secondary: (member) =>
    member.call('disable replication on secondary', (calls) => calls.disableSecondary().then(nothing)),
  disable_primary: (member) =>
    member.call('disable replication on primary', (calls) => calls.disablePrimary().then(nothing)),

  wait_for_mode: (member, { mode, timeout }) => member.waitForMode(mode, timeout).then(nothing),
  wait_for_answer: (member, { timeout }) => member.waitForAnswer(timeout),
  wait_for_stream: (member, { timeout }) => member.waitForStream(timeout).then(nothing),
  wait_for_rival: async (member, { timeout }) => {
    try {
      await member.waitUntil('be promoted', ({ mode }) => mode === 'primary', timeout);
    } catch (error) {
      if (!VaultError.is(error) && !(error instanceof DiagnosticError)) throw error;
    }
  },
  wait_until_caught_up: (member, { primary, timeout, ...following }, performer) =>
    member.waitUntilCaughtUp({ ...following, primary: performer.member(primary) }, timeout).then(nothing),
  wait_until_same: (member, { as, status, timeout }) => {
    const isSame = (own: ReplicationStatus) => haveSameData(own, status);
    return member.waitUntil(`come to the same data as ${as}`, isSame, timeout).then(nothing);
  },
  wait_until_level: (member, { primary, timeout }, performer) =>
    waitUntilLevel(performer.member(primary), member, timeout),
  deadline: (member, { seconds }) => Promise.resolve(member.now() + seconds * 1000),
  pause: (member, { milliseconds, until }) => member.pause(milliseconds, until),
};

/** The words for a note in messages, which the name of the cluster follows, and its calls. */
interface Note {
  readonly name: string;
  readonly writing: string;
  readonly options?: CallOptions;
  read(client: VaultClient): Promise<string | undefined>;
  write(client: VaultClient, text: string): Promise<unknown>;
}

const NOTES: Readonly<Record<NoteKind, Note>> = {
  announcement: {
    name: 'the announcement of the successor on',
    writing: 'announce the successor on',
    ...inPolicy(SWITCHOVER_POLICY),
  },
  takeover: {
    name: 'the note of its predecessors on',
    writing: 'note the predecessors of',
    ...inPolicy(TAKEOVER_POLICY),
  },
  promotion: {
    name: 'the note of the promotion on',
    writing: 'note the promotion of',
    options: BRIEFLY,
    async read(client) {
      const mount = (await client.read(MOUNTS_PATH, BRIEFLY))?.data[`${PROMOTION_MOUNT}/`];
      const { local, description } = (mount ?? {}) as Readonly<Record<string, unknown>>;
      return local === true && typeof description === 'string' ? description : undefined;
    },
    write: (client, description) =>
      client.write(PROMOTION_MOUNT_PATH, { type: 'kv', local: true, description }, BRIEFLY),
  },
};

function inPolicy(name: string): Pick<Note, 'read' | 'write'> {
  return {
    read: async (client) => (await client.policies.acl.read(name))?.data.policy,
    write: (client, policy) => client.policies.acl.write(name, { policy }),
  };
}

function nothing(): void {
  return undefined;
}

async function describe(member: Member): Promise<string> {
  try {
    return describeReplicationStatus(await member.status());
  } catch (error) {
    if (VaultError.is(error) || error instanceof DiagnosticError) return 'cannot be reached';
    throw error;
  }
}

async function lookAt(member: Member, timeout: number | undefined): Promise<Look> {
  try {
    const begin = member.now();
    const status = await member.status(timeout);
    if (!isSettled(status)) return { found: 'starting', isQuick: false };
    return { found: status, isQuick: member.now() - begin <= QUICK };
  } catch (error) {
    if (VaultError.is(error)) {
      return { found: error.status === undefined ? 'silent' : 'starting', isQuick: false };
    }
    if (error instanceof DiagnosticError) return { found: 'silent', isQuick: false };
    throw error;
  }
}

/**
 * Waits until a successor has all writes. Even after it has caught up, it lags a little as long as
 * the primary receives further writes.
 */
async function waitUntilLevel(primary: Member, successor: Member, timeout: number): Promise<Level> {
  let wasQuiet = false;
  const isUnchanged = primary.unchanging();
  const isLevel = async () => {
    const before = await primary.primaryStatus();
    const status = await successor.status();
    const after = await primary.primaryStatus();
    // The position may advance without a change of data, so an unchanged merkle root is enough.
    const isStill = isUnchanged(rootOf(after)) || before.last_performance_wal === after.last_performance_wal;
    wasQuiet = isStill && haveSameData(before, after);
    return wasQuiet && isStreaming(status) && haveSameData(status, after);
  };
  const until = primary.now() + timeout * 1000;
  do if (await isLevel()) return 'level';
  while (await primary.pause(LEVEL_PAUSE, until));
  return wasQuiet ? 'differs' : 'still-writing';
}
