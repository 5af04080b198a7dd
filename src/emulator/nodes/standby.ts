import type { ApiRequest } from '../core/call';

/** Paths of writes that change nothing, so that a standby can serve them. */
const READS_BY_WRITING =
  /^(?:auth\/token\/lookup(?:-self|-accessor)?|sys\/capabilities(?:-self|-accessor)?|sys\/wrapping\/lookup|identity\/lookup\/\w+)$/;

/** The path of snapshots, which are too large to be forwarded. */
const ALWAYS_REDIRECTED = /^sys\/storage\/raft\/snapshot(?:-force)?$/;

/**
 * The way in which a standby handles a request: serve it, forward it to the active node, or
 * redirect the client there.
 */
type StandbyAction = 'serve' | 'forward' | 'redirect';

/** The facts that determine how a standby handles a request. */
interface StandbyFacts {
  readonly call: ApiRequest;
  /** Whether the server is the enterprise edition, whose standbys serve reads. */
  readonly enterprise: boolean;
  /** Whether the uses of the token are limited; the active node counts them. */
  readonly tokenIsCounted: boolean;
  /** Whether the standby misses a write that the client has seen. */
  readonly isBehind: boolean;
  /** Whether the standby can forward. */
  readonly forwards: boolean;
}

/** Decides what a standby does with a request. */
export function standbyAction(facts: StandbyFacts): StandbyAction {
  const { call, enterprise, forwards } = facts;
  if (enterprise && isServed(facts)) return 'serve';
  // Performance standbys ignore this header.
  const isForbidden = !enterprise && sent(call, 'x-vault-no-request-forwarding') !== '';
  return forwards && !isForbidden && !ALWAYS_REDIRECTED.test(call.path) ? 'forward' : 'redirect';
}

function isServed({ call, tokenIsCounted, isBehind }: StandbyFacts): boolean {
  if (sent(call, 'x-vault-forward') === 'active-node' || ALWAYS_REDIRECTED.test(call.path)) return false;
  if (isBehind) return sent(call, 'x-vault-inconsistent') !== 'forward-active-node';
  return !tokenIsCounted && call.wrap === undefined && isRead(call);
}

function isRead({ operation, path }: ApiRequest): boolean {
  if (operation === 'read' || operation === 'list' || operation === 'help') return true;
  return operation === 'update' && READS_BY_WRITING.test(path);
}

function sent({ headers }: ApiRequest, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
