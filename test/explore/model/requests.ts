import type { ReplicationMode, SecondaryState, ConnectionState } from '../../../src/model';
import type { Atom, Filter, KnownSecondary, NoteKind } from './world';

/** The content of an activation token, encrypted for a public key. */
export interface Token {
  readonly id: string;
  readonly set: Atom;
  readonly addr: string;
  readonly key: Atom;
  /** The public key of the encryption. */
  readonly for: Atom;
}

/** A request to a cluster. */
export type Request =
  // These requests need no login.
  | { readonly kind: 'status' | 'health' | 'leader' }
  /** `isFirst`: the primary stores the new user. */
  | { readonly kind: 'login'; readonly isFirst?: boolean }
  // These requests need a login.
  | { readonly kind: 'capabilities' | 'held-data' }
  | { readonly kind: 'read-note' | 'delete-note'; readonly of: NoteKind }
  | { readonly kind: 'write-note'; readonly of: NoteKind; readonly note: string }
  | { readonly kind: 'write'; readonly mark: number }
  | {
      readonly kind:
        'read-filter' | 'delete-filter' | 'revoke' | 'withheld-by-primary' | 'withheld-from-secondary';
      readonly id: string;
    }
  | { readonly kind: 'write-filter'; readonly id: string; readonly filter: Filter }
  | { readonly kind: 'generate-key' }
  | { readonly kind: 'issue-token'; readonly id: string; readonly for: Atom }
  | { readonly kind: 'enable-primary'; readonly addr: string }
  | { readonly kind: 'promote'; readonly addr: string; readonly force: boolean }
  | { readonly kind: 'demote' | 'disable-primary' | 'disable-secondary' }
  | { readonly kind: 'enable-secondary'; readonly token: Token }
  | { readonly kind: 'update-primary'; readonly token: Token | null; readonly addrs: readonly string[] };

export type RequestKind = Request['kind'];

/** The requests without an effect on other requests. */
export const READS: ReadonlySet<RequestKind> = new Set([
  'status',
  'health',
  'leader',
  'capabilities',
  'read-note',
  'held-data',
  'read-filter',
  'withheld-by-primary',
  'withheld-from-secondary',
]);

export type StatusData =
  | { readonly mode: 'disabled' }
  | {
      readonly mode: 'primary';
      readonly set: Atom;
      readonly addr: string;
      readonly secondaries: Readonly<Record<string, KnownSecondary['contact']>>;
      readonly wal: number;
      readonly root: string | null;
    }
  | {
      readonly mode: 'secondary';
      readonly set: Atom;
      readonly id: string;
      readonly state: SecondaryState;
      readonly connection: ConnectionState;
      readonly addr: string;
      readonly addrs: readonly string[];
      readonly primary: { readonly to: string; readonly connected: boolean } | null;
      readonly wal: number;
      readonly root: string | null;
    };

export interface HealthData {
  readonly id: Atom | null;
  readonly mode: ReplicationMode | 'bootstrapping' | 'unknown';
}

/** An answer; without a status if the connection broke. */
export interface Answer {
  readonly status: number;
  readonly data?: unknown;
}

/** Whether a request needs a login. */
export function needsLogin({ kind }: Request): boolean {
  return !['status', 'health', 'leader', 'login'].includes(kind);
}
