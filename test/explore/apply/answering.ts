/** Answers the requests of an apply from the abstract clusters. */
import {
  VaultError,
  type ReplicationPrimaryStatus,
  type ReplicationStatus,
  type VaultErrorCode,
} from '../../../src/client';
import type { Filter as ProviderFilter } from '../../../src/provider/replication/set/planner';
import { EFFECTS, type ClusterRequest, type Look } from '../../../src/provider/replication/set/decide';
import { callFailed } from '../../../src/provider/objects';
import { REPLICATION_SET } from '../../../src/model';
import {
  happened,
  step,
  type Answer,
  type Assumed,
  type HealthData,
  type Request,
  type StatusData,
  type Token,
  type World,
} from '../model';
import type { Outcome } from './replay';

export const NAMES = ['us', 'eu', 'ap'];
const PATH = 'sys/replication/performance/';

/** One possible answer to a request. */
export interface Exchange {
  /** The word for this answer in a printed path. */
  readonly label: string;
  readonly world: World;
  readonly outcome: Outcome;
  /** The requests that reached the cluster, in order, with the worlds before them. */
  readonly sent: readonly { readonly cluster: number; readonly request: Request; readonly before: World }[];
  /** Whether the answer uses one fault of the budget. */
  readonly isFault?: boolean;
  /** Whether the process receives a failure, and the request takes effect later. */
  readonly isLate?: boolean;
}

type Sent = Exchange['sent'];

class Failed extends Error {
  constructor(
    readonly code: VaultErrorCode,
    readonly status?: number,
    readonly mayHaveTakenEffect = false,
  ) {
    super(code);
  }
}

/**
 * A process of the provider that sends requests to the clusters of a world, and changes the world.
 */
class Talk {
  readonly sent: Sent[number][] = [];

  constructor(
    public world: World,
    readonly by: number,
    readonly assumed: Assumed,
  ) {}

  /** Sends a request to the cluster at an address. */
  send(at: number, request: Request): Answer {
    if (this.world.silent.includes(at)) throw new Failed('timeout');
    const cluster = this.world.at[at]!;
    this.sent.push({ cluster, request, before: this.world });
    const { world, answer } = step(this.world, { cluster, by: this.by, request }, this.assumed);
    this.world = world;
    return answer;
  }

  /** Logs in, unless the process has a login. */
  logIn(at: number): void {
    const { logins } = this.world.clusters[this.world.at[at]!]!;
    if ((logins & (1 << this.by)) !== 0) return;
    const login = this.send(at, { kind: 'login' });
    if (login.status >= 400) throw new Failed(codeOf(login.status, { kind: 'login' }), login.status);
  }

  /** Sends a request that needs a login, and logs in first if necessary. */
  call(at: number, request: Request, missing?: unknown): unknown {
    const cluster = this.world.clusters[this.world.at[at]!]!;
    this.logIn(at);
    const answer = this.send(at, request);
    if (answer.status === 404 && missing !== undefined) return missing;
    if (answer.status >= 400) {
      // The client recognizes by its text that a promotion is refused because the secondary is
      // still catching up, whatever the status is.
      const isReady = cluster.role.mode === 'secondary' && !cluster.busy && !cluster.sealed;
      const isCatchingUp = request.kind === 'promote' && isReady;
      const code = isCatchingUp ? 'catching_up' : codeOf(answer.status, request);
      // A cluster that is sealed or not available refuses the request, and does not process it.
      const isRefused = isCatchingUp || answer.status === 503;
      throw new Failed(code, answer.status, answer.status >= 500 && !isRefused);
    }
    return answer.data;
  }

  status(at: number): ReplicationStatus {
    const answer = this.send(at, { kind: 'status' });
    if (answer.status >= 400) throw new Failed(codeOf(answer.status, { kind: 'status' }), answer.status);
    return decoded(answer.data as StatusData);
  }

  primaryStatus(at: number): ReplicationPrimaryStatus {
    const status = this.status(at);
    if (status.mode !== 'primary') throw new Failed('unavailable');
    return status;
  }

  /** Lets time pass, in which clusters become available after a change of mode. */
  settle(): void {
    for (let index = 0; index < this.world.clusters.length; index += 1) {
      this.world = happened(this.world, { kind: 'return', cluster: index }, this.assumed) ?? this.world;
    }
  }
}

function codeOf(status: number, { kind }: Request): VaultErrorCode {
  if (status === 400) return 'invalid_request';
  if (status === 403) return kind === 'login' ? 'login_refused' : 'denied';
  if (status === 404) return 'not_found';
  if (status === 503) return 'unavailable';
  return 'server_error';
}

/** Returns the possible answers to a request without a fault, and those with one fault. */
export function exchanges(
  world: World,
  by: number,
  request: ClusterRequest,
  assumed: Assumed,
): readonly Exchange[] {
  const at = NAMES.indexOf(request.cluster);
  const plain = attempt(world, by, request, assumed, '');
  const isBusy = !world.silent.includes(at) && world.clusters[world.at[at]!]!.busy;
  const ways = [plain];
  if (isBusy && !request.kind.startsWith('wait')) {
    const returned = happened(world, { kind: 'return', cluster: world.at[at]! }, assumed);
    if (returned) ways.push(attempt(returned, by, request, assumed, 'returned'));
  }
  return ways;
}

/**
 * Returns the faults of a single request: its answer is lost, the request is lost, or the server
 * fails.
 */
export function faulty(
  world: World,
  by: number,
  request: ClusterRequest,
  assumed: Assumed,
): readonly Exchange[] {
  // A wait asks again after a failure, except in the first read of a wait that compares two
  // clusters.
  const isCompared = 'primary' in request;
  if (EFFECTS[request.kind] === 'wait' && !isCompared) return [];
  const lost = (
    after: World,
    sent: Sent,
    label: string,
    code: VaultErrorCode,
    status?: number,
  ): Exchange => ({
    label,
    world: after,
    outcome: failure(request, new Failed(code, status, true)),
    sent,
    isFault: true,
  });
  const before = lost(world, [], 'lost before', 'connection_lost');
  if (isRead(request) || isCompared) return request.kind === 'look' ? [] : [before];
  const plain = attempt(world, by, request, assumed, '');
  const ways = [
    before,
    lost(world, [], 'refused', 'server_error', 500),
    { ...lost(world, [], 'slow', 'timeout'), isLate: true },
  ];
  if (!('error' in plain.outcome)) ways.push(lost(plain.world, plain.sent, 'lost after', 'connection_lost'));
  return ways;
}

export function isRead({ kind }: ClusterRequest): boolean {
  return EFFECTS[kind] === 'read';
}

function attempt(
  before: World,
  by: number,
  request: ClusterRequest,
  assumed: Assumed,
  label: string,
): Exchange {
  const talk = new Talk(before, by, assumed);
  let outcome: Outcome;
  try {
    outcome = { value: answerTo(talk, request) };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    outcome = failure(request, error);
  }
  return { label, world: talk.world, outcome, sent: talk.sent };
}

const WITHOUT_TOKEN = /^(status|primary_status|look|health|cluster_address|wait)/;

/**
 * Returns the failure that the provider receives: a diagnostic for a call with its token, otherwise
 * the client's error.
 */
function failure({ kind, cluster }: ClusterRequest, { code, status, mayHaveTakenEffect }: Failed): Outcome {
  const path = `${PATH}${/secondary|update_primary/.test(kind) && !/^disable/.test(kind) ? 'secondary/' : 'primary/'}${kind}`;
  const error = new VaultError({
    code,
    message: code,
    method: 'POST',
    path,
    ...(status !== undefined && { status }),
    mayHaveTakenEffect: mayHaveTakenEffect && !WITHOUT_TOKEN.test(kind),
  });
  if (WITHOUT_TOKEN.test(kind)) return { error };
  return { error: callFailed(error, { verb: kind, title: 'the set', cluster, definition: REPLICATION_SET }) };
}

function answerTo(talk: Talk, request: ClusterRequest): unknown {
  const at = NAMES.indexOf(request.cluster);
  switch (request.kind) {
    case 'status':
      return talk.status(at);
    case 'primary_status':
      return talk.primaryStatus(at);
    case 'look':
      return lookAt(talk, at);
    case 'health': {
      const { id } = talk.send(at, { kind: 'health' }).data as HealthData;
      return { ...(id !== null && { cluster_id: id }), replication_dr_mode: 'disabled' };
    }
    case 'cluster_address':
      return swallowed(() => talk.send(at, { kind: 'leader' }).data as string, undefined);
    case 'describe':
      return '';
    case 'log_in':
      return talk.logIn(at);
    case 'renew_login':
      talk.call(at, { kind: 'capabilities' });
      return Infinity;
    case 'capabilities':
      talk.call(at, { kind: 'capabilities' });
      return Object.fromEntries(request.paths.map((path) => [path, ['root']]));
    case 'held_data': {
      talk.call(at, { kind: 'held-data' });
      const { marks, operator, store } = talk.world.clusters[talk.world.at[at]!]!.content;
      return marks.length > 0 || operator || store ? ['data'] : [];
    }
    case 'read_note':
      return talk.call(at, { kind: 'read-note', of: request.of }, null) ?? undefined;
    case 'write_note':
      return talk.call(at, { kind: 'write-note', of: request.of, note: request.text });
    case 'delete_note':
      return talk.call(at, { kind: 'delete-note', of: request.of });
    case 'read_filter': {
      const found = talk.call(at, { kind: 'read-filter', id: request.id }, null);
      return found === null ? null : ({ mode: found as string, paths: ['secret/'] } satisfies ProviderFilter);
    }
    case 'withheld': {
      const kind = request.side === 'primary' ? 'withheld-by-primary' : 'withheld-from-secondary';
      return talk.call(at, { kind, id: request.id }, false) === true ? ['secret/'] : [];
    }
    case 'write_filter':
      return talk.call(at, { kind: 'write-filter', id: request.id, filter: request.filter.mode as 'deny' });
    case 'delete_filter':
      return talk.call(at, { kind: 'delete-filter', id: request.id });
    case 'public_key':
      return talk.call(at, { kind: 'generate-key' });
    case 'issue_token': {
      const token = talk.call(at, { kind: 'issue-token', id: request.id, for: request.key! }) as Token;
      return { kind: 'encrypted', token: JSON.stringify(token) };
    }
    case 'revoke':
      return talk.call(at, { kind: 'revoke', id: request.id });
    case 'enable_primary':
      return talk.call(at, { kind: 'enable-primary', addr: request.fields.primary_cluster_addr ?? '' });
    case 'demote':
      return talk.call(at, { kind: 'demote' });
    case 'promote': {
      const addr = request.fields.primary_cluster_addr ?? '';
      return talk.call(at, { kind: 'promote', addr, force: request.force });
    }
    case 'enable_secondary':
      return talk.call(at, { kind: 'enable-secondary', token: JSON.parse(request.token) as Token });
    case 'update_primary':
      return talk.call(at, { kind: 'update-primary', token: JSON.parse(request.token) as Token, addrs: [] });
    case 'update_primary_address':
      return talk.call(at, { kind: 'update-primary', token: null, addrs: [request.address] });
    case 'disable_secondary':
      return talk.call(at, { kind: 'disable-secondary' });
    case 'disable_primary':
      return talk.call(at, { kind: 'disable-primary' });
    case 'deadline':
      return 1;
    case 'pause':
      return false;
    default:
      return wait(talk, at, request);
  }
}

function lookAt(talk: Talk, at: number): Look {
  try {
    return { found: talk.status(at) as never, isQuick: true };
  } catch (error) {
    if (!(error instanceof Failed)) throw error;
    return { found: error.status === undefined ? 'silent' : 'starting', isQuick: false };
  }
}

type Wait = Extract<ClusterRequest, { readonly kind: `wait${string}` }>;

/**
 * Answers the condition of a wait: it holds now, it holds once clusters are available, or the
 * timeout has passed.
 */
function wait(talk: Talk, at: number, request: Wait): unknown {
  // A wait that compares two clusters ends at once if its first read fails.
  if ('primary' in request) talk.primaryStatus(NAMES.indexOf(request.primary));
  if (request.kind === 'wait_until_level') talk.status(at);
  const holds = () => swallowed(() => isReached(talk, at, request), false);
  if (!holds()) {
    talk.settle();
    if (!holds()) {
      if (request.kind === 'wait_until_level') return 'still-writing';
      if (request.kind !== 'wait_for_answer' && request.kind !== 'wait_for_rival')
        throw new Failed('timeout');
    }
  }
  return request.kind === 'wait_until_level' ? 'level' : undefined;
}

function isReached(talk: Talk, at: number, request: Wait): boolean {
  const own = talk.status(at);
  switch (request.kind) {
    case 'wait_for_mode':
      return own.mode === request.mode;
    case 'wait_for_answer':
      return true;
    case 'wait_for_rival':
      return own.mode === 'primary';
    case 'wait_for_stream':
      return isStreaming(own);
    case 'wait_until_same':
      return rootOf(own) !== undefined && rootOf(own) === rootOf(request.status);
    case 'wait_until_caught_up': {
      const primary = talk.status(NAMES.indexOf(request.primary));
      if (!isStreaming(own) || primary.mode !== 'primary' || own.mode !== 'secondary') return false;
      if (own.secondary_id !== '' && own.secondary_id !== request.id) return false;
      if ((own.last_remote_wal ?? 0) >= (primary.last_performance_wal ?? 0)) return true;
      return request.filtered ? own.last_remote_wal === 0 : rootOf(own) === rootOf(primary);
    }
    case 'wait_until_level': {
      const primary = talk.status(NAMES.indexOf(request.primary));
      return primary.mode === 'primary' && isStreaming(own) && rootOf(own) === rootOf(primary);
    }
  }
}

function isStreaming(status: ReplicationStatus): boolean {
  return status.mode === 'secondary' && status.state === 'stream-wals' && status.connection_state === 'ready';
}

function rootOf(status: ReplicationStatus): string | undefined {
  return 'merkle_root' in status ? status.merkle_root : undefined;
}

function swallowed<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof Failed) return otherwise;
    throw error;
  }
}

/** Returns the status in the form that the client decodes. */
function decoded(data: StatusData): ReplicationStatus {
  if (data.mode === 'disabled') return data;
  const common = {
    cluster_id: data.set,
    primary_cluster_addr: data.addr,
    merkle_root: data.root ?? undefined,
    corrupted_merkle_tree: undefined,
    last_corruption_check_epoch: undefined,
    last_reindex_epoch: undefined,
    ssct_generation_counter: undefined,
  };
  const link = {
    api_address: undefined,
    last_heartbeat: undefined,
    last_heartbeat_duration_ms: undefined,
    clock_skew_ms: undefined,
    replication_primary_canary_age_ms: undefined,
  };
  if (data.mode === 'primary') {
    return {
      mode: 'primary',
      ...common,
      state: 'running',
      known_secondaries: Object.keys(data.secondaries),
      secondaries: Object.entries(data.secondaries).map(([node_id, contact]) => ({
        ...link,
        node_id,
        connection_status: contact === 'connected' ? 'connected' : 'disconnected',
        cluster_address: contact === 'never' ? undefined : 'known',
      })),
      last_wal: data.wal,
      last_performance_wal: data.wal,
    };
  }
  return {
    mode: 'secondary',
    ...common,
    state: data.state,
    secondary_id: data.id,
    connection_state: data.connection,
    known_primary_cluster_addrs: data.addrs,
    primaries: data.primary
      ? [
          {
            ...link,
            cluster_address: data.primary.to,
            connection_status: data.primary.connected ? 'connected' : 'disconnected',
          },
        ]
      : [],
    last_remote_wal: data.wal,
    last_start: undefined,
  };
}
