import type { Call } from '../core/call';

/** Writes that change nothing, so that a standby can serve them. */
const READS_BY_WRITING =
  /^(?:auth\/token\/lookup(?:-self|-accessor)?|sys\/capabilities(?:-self|-accessor)?|sys\/wrapping\/lookup|identity\/lookup\/\w+)$/;

/** What is too long to be forwarded. */
const ALWAYS_REDIRECTED = /^sys\/storage\/raft\/snapshot(?:-force)?$/;

/** What a standby does with a request: serve it, have the active node handle it, or send the client there. */
type Way = 'serve' | 'forward' | 'redirect';

/** What decides about a request. */
interface Circumstances {
  readonly call: Call;
  /** Whether the server is one whose standbys serve reads. */
  readonly enterprise: boolean;
  /** Whether the token can only be used a number of times, which is counted by the active node. */
  readonly tokenIsCounted: boolean;
  /** Whether the standby misses a write that the client has seen. */
  readonly isBehind: boolean;
  /** Whether the standby can forward. */
  readonly forwards: boolean;
}

/** Decides what a standby does with a request. */
export function wayOf(circumstances: Circumstances): Way {
  const { call, enterprise, forwards } = circumstances;
  if (enterprise && isServed(circumstances)) return 'serve';
  // Performance standbys forward whatever this header says.
  const isForbidden = !enterprise && sent(call, 'x-vault-no-request-forwarding') !== '';
  return forwards && !isForbidden && !ALWAYS_REDIRECTED.test(call.path) ? 'forward' : 'redirect';
}

function isServed({ call, tokenIsCounted, isBehind }: Circumstances): boolean {
  if (sent(call, 'x-vault-forward') === 'active-node' || ALWAYS_REDIRECTED.test(call.path)) return false;
  if (isBehind) return sent(call, 'x-vault-inconsistent') !== 'forward-active-node';
  return !tokenIsCounted && call.wrap === undefined && isRead(call);
}

function isRead({ operation, path }: Call): boolean {
  if (operation === 'read' || operation === 'list' || operation === 'help') return true;
  return operation === 'update' && READS_BY_WRITING.test(path);
}

function sent({ headers }: Call, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
