import type {
  EnablePrimaryFields,
  Health,
  PrimaryContact,
  ReplicationPrimaryStatus,
  ReplicationStatus,
  SecondaryToken,
} from '../../../../client';
import type { ReplicationMode } from '../../../../model';
import type { SettledStatus } from '../../shared/member';
import type { Filter, Observation } from '../planner';
import type { ApplyMemory } from './memory';
import type { NoteKind } from './switchover-policy';

/** The result of one read of a cluster's status, without waiting for an answer. */
export interface Look {
  /** `starting`: the cluster answers, but has no mode yet. */
  readonly found: SettledStatus | 'starting' | 'silent';
  /**
   * Whether the answer came at once, so that it is still true when the other clusters have
   * answered.
   */
  readonly isQuick: boolean;
}

/**
 * The result of the wait for a moment without writes. `differs`: the data is different although
 * nothing is written.
 */
export type Level = 'level' | 'differs' | 'still-writing';

type NoParameters = object;

/**
 * The parameters and the answer of each kind of request of an apply. A request is one call to one
 * cluster, or one bounded wait for a condition. Requests are data, so that a model can answer them
 * in place of servers.
 */
interface Requests {
  // Reads that need no token. A failure is a VaultError.
  status: [{ readonly timeout?: number }, ReplicationStatus];
  primary_status: [NoParameters, ReplicationPrimaryStatus];
  look: [{ readonly timeout?: number }, Look];
  health: [NoParameters, Health];
  cluster_address: [NoParameters, string | undefined];
  /** The status as a text for users. It never fails. */
  describe: [NoParameters, string];

  // Calls with the provider's token. A failure is a DiagnosticError.
  log_in: [NoParameters, void];
  /** @returns the seconds that the login lives. */
  renew_login: [{ readonly seconds: number }, number];
  /** @returns the capabilities by path. */
  capabilities: [{ readonly paths: readonly string[] }, Readonly<Record<string, readonly string[]>>];
  held_data: [NoParameters, readonly string[]];
  read_note: [{ readonly of: NoteKind }, string | undefined];
  write_note: [{ readonly of: NoteKind; readonly text: string }, void];
  delete_note: [{ readonly of: NoteKind }, void];
  read_filter: [{ readonly id: string }, Filter | null];
  /** @returns the mounts and namespaces that a filter withholds. */
  withheld: [{ readonly id: string; readonly side: 'primary' | 'secondary' }, readonly string[]];
  write_filter: [{ readonly id: string; readonly filter: Filter }, void];
  delete_filter: [{ readonly id: string }, void];
  public_key: [NoParameters, string];
  issue_token: [{ readonly id: string; readonly ttl: number; readonly key?: string }, SecondaryToken];
  revoke: [{ readonly id: string }, void];
  enable_primary: [{ readonly fields: EnablePrimaryFields }, void];
  demote: [NoParameters, void];
  promote: [{ readonly fields: EnablePrimaryFields; readonly force: boolean }, void];
  enable_secondary: [{ readonly token: string; readonly contact: PrimaryContact }, void];
  update_primary: [{ readonly token: string; readonly contact: PrimaryContact }, void];
  update_primary_address: [{ readonly address: string }, void];
  disable_secondary: [NoParameters, void];
  disable_primary: [NoParameters, void];

  // Waits, by the clock of the cluster's client. A failure is a VaultError, with the code `timeout`
  // if the wait took too long.
  wait_for_mode: [{ readonly mode: ReplicationMode; readonly timeout: number }, void];
  /** Ends without an error, even if the cluster does not answer. */
  wait_for_answer: [{ readonly timeout: number }, void];
  wait_for_stream: [{ readonly timeout: number }, void];
  /** Waits for another apply, or a person, to promote the cluster. Ends without an error. */
  wait_for_rival: [{ readonly timeout: number }, void];
  wait_until_caught_up: [
    { readonly primary: string; readonly id: string; readonly filtered: boolean; readonly timeout: number },
    void,
  ];
  wait_until_same: [
    { readonly as: string; readonly status: ReplicationStatus; readonly timeout: number },
    void,
  ];
  wait_until_level: [{ readonly primary: string; readonly timeout: number }, Level];
  /** @returns the time after which attempts end, for `pause`. */
  deadline: [{ readonly seconds: number }, number];
  /** @returns whether there is time for another attempt. */
  pause: [{ readonly milliseconds: number; readonly until: number }, boolean];
}

/** Requests that concern no cluster. */
interface LocalRequests {
  /** Whether the user has stopped Terraform. */
  stopped: [NoParameters, boolean];
  log: [{ readonly level: 'info' | 'warn'; readonly text: string }, void];
  /** Stores the facts after a step in the state. */
  reached: [{ readonly observation: Observation }, void];
  /**
   * Marks a point between two steps. Everything that follows depends only on the memory and the
   * facts at this point.
   */
  between_steps: [{ readonly observation: Observation; readonly memory: ApplyMemory }, void];
}

export type RequestKind = keyof Requests;
type LocalKind = keyof LocalRequests;

/**
 * The effect of each request. A read changes nothing. A wait makes several calls or none. A
 * preparation writes a note, a key or a token. A change changes the set.
 */
export const EFFECTS: Readonly<Record<RequestKind, 'read' | 'wait' | 'preparation' | 'change'>> = {
  status: 'read',
  primary_status: 'read',
  look: 'read',
  health: 'read',
  cluster_address: 'read',
  describe: 'wait',
  log_in: 'read',
  renew_login: 'read',
  capabilities: 'read',
  held_data: 'read',
  read_note: 'read',
  write_note: 'preparation',
  delete_note: 'preparation',
  read_filter: 'read',
  withheld: 'read',
  write_filter: 'change',
  delete_filter: 'change',
  public_key: 'preparation',
  issue_token: 'preparation',
  revoke: 'change',
  enable_primary: 'change',
  demote: 'change',
  promote: 'change',
  enable_secondary: 'change',
  update_primary: 'change',
  update_primary_address: 'change',
  disable_secondary: 'change',
  disable_primary: 'change',
  wait_for_mode: 'wait',
  wait_for_answer: 'wait',
  wait_for_stream: 'wait',
  wait_for_rival: 'wait',
  wait_until_caught_up: 'wait',
  wait_until_same: 'wait',
  wait_until_level: 'wait',
  deadline: 'wait',
  pause: 'wait',
};

/** A request of one kind to a cluster. */
export type RequestOf<K extends RequestKind> = {
  [Each in K]: { readonly kind: Each; readonly cluster: string } & Requests[Each][0];
}[K];

type LocalRequestOf<K extends LocalKind> = {
  [Each in K]: { readonly kind: Each } & LocalRequests[Each][0];
}[K];

export type AnswerTo<K extends RequestKind> = Requests[K][1];
type LocalAnswerTo<K extends LocalKind> = LocalRequests[K][1];

/** Independent procedures that run at the same time. */
export interface All {
  readonly kind: 'all';
  readonly procedures: readonly Procedure<unknown>[];
}

export type ClusterRequest = RequestOf<RequestKind>;
export type LocalRequest = LocalRequestOf<LocalKind>;
export type Request = ClusterRequest | LocalRequest | All;

/**
 * A part of an apply, which yields requests and receives their answers or errors. It does nothing
 * else, so the same answers always lead to the same requests and the same result.
 */
export type Procedure<T> = Generator<Request, T, unknown>;

/** Makes a request to a cluster. */
export function* ask<K extends RequestKind>(request: RequestOf<K>): Procedure<AnswerTo<K>> {
  return (yield request as ClusterRequest) as AnswerTo<K>;
}

/** Makes a request that concerns no cluster. */
export function* local<K extends LocalKind>(request: LocalRequestOf<K>): Procedure<LocalAnswerTo<K>> {
  return (yield request as LocalRequest) as LocalAnswerTo<K>;
}

/** Runs procedures at the same time, and fails with the first failure. */
export function* all<T>(procedures: readonly Procedure<T>[]): Procedure<readonly T[]> {
  if (procedures.length === 0) return [];
  return (yield { kind: 'all', procedures }) as readonly T[];
}

export function* warn(text: string): Procedure<void> {
  yield* local({ kind: 'log', level: 'warn', text });
}
