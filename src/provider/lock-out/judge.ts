import {
  compilePolicy,
  decide,
  egpGoverns,
  SentinelLimitError,
  type RequestFacts,
  type SentinelPolicy,
  type Verdict,
} from '../../enforcement';
import type { CallerFacts } from './caller';
import type { TerraformsRequest } from './terraforms-requests';

/** The decision of a policy on one of Terraform's requests. */
type Judgment =
  | { readonly kind: 'allowed' }
  | {
      readonly kind: 'refused';
      readonly verdict: Verdict;
      /** Whether the evaluation was stopped, because it took too long. */
      readonly isTooLong: boolean;
    }
  /** The decision depends on a value that only the server knows. */
  | { readonly kind: 'unknown'; readonly reads: string };

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** The caller, as the server sees it. */
export interface Vantage {
  /** The identity of the caller; `undefined` if the server does not report it. */
  readonly caller: CallerFacts | undefined;
  /** The address that the server sees, if it is certain. */
  readonly address: string | undefined;
  /** The time in milliseconds since 1970. */
  readonly now: number;
}

export { compilePolicy };

/**
 * Whether a policy governs a request: an EGP by its path, an RGP if the request has Terraform's
 * token.
 */
export function governs(policy: SentinelPolicy, request: TerraformsRequest): boolean {
  if (policy.kind === 'rgp') return !request.isLogin && request.isUnwrapping !== true;
  const { path, namespace } = request;
  const { paths = [] } = policy;
  return egpGoverns({ namespace: policy.namespace, paths }, { path, namespace: { id: '', path: namespace } });
}

/** Decides on a request that a policy governs, as the server will. */
export function judge(policy: SentinelPolicy, request: TerraformsRequest, vantage: Vantage): Judgment {
  const { caller, address, now } = vantage;
  const token = request.isLogin || request.isUnwrapping ? undefined : caller?.token;
  if (token?.policies.includes('root')) return { kind: 'allowed' };
  // The token may be a root token, which policies never refuse.
  if (!request.isLogin && !request.isUnwrapping && !caller) return { kind: 'unknown', reads: 'the token' };
  const unknown = whatIsNotKnown(policy, request, vantage);
  if (unknown !== undefined) return { kind: 'unknown', reads: unknown };
  const facts: RequestFacts = {
    namespace: { id: '', path: request.namespace },
    path: request.path,
    operation: request.operation,
    data: request.data ?? {},
    remoteAddress: address ?? '',
    unauthenticated: request.isLogin,
    replication: { performance: '', dr: '' },
    ...(token && { token }),
    ...(token && caller?.identity && { identity: caller.identity }),
  };
  const { denials, overridden, advisories } = decide([policy], facts, {
    now: BigInt(now) * NANOSECONDS_PER_MILLISECOND,
  });
  const [verdict] = [...denials, ...overridden, ...advisories];
  if (!verdict) return { kind: 'allowed' };
  const missing = ABSENT_NAME.exec(verdict.error?.message ?? '')?.[1];
  if (missing === 'identity' && (request.isLogin || caller?.identity !== null)) {
    return { kind: 'unknown', reads: missing };
  }
  return { kind: 'refused', verdict, isTooLong: verdict.error instanceof SentinelLimitError };
}

/** Returns the error of a policy that reads a name that the request does not have. */
const ABSENT_NAME = /: unknown identifier accessed: (identity)\b/;

/**
 * Returns the first value that a policy reads and only the server knows. `identity` is not
 * considered here: the evaluation shows whether it is read.
 */
function whatIsNotKnown(
  { program, text }: SentinelPolicy,
  request: TerraformsRequest,
  { address }: Vantage,
): string | undefined {
  // A text with a syntax error refuses every request, whatever it reads.
  if (!('reads' in program)) return undefined;
  const { reads } = program;
  if (request.isUnwrapping && (reads.has('token') || reads.has('identity'))) return 'the wrapping token';
  if (reads.has('http')) return 'the import http';
  if (reads.has('replication')) return 'replication';
  if (/\bremote_addr\b/.test(text) && address === undefined) return 'request.connection.remote_addr';
  if (/\bdata\b/.test(text) && request.data === undefined) return 'request.data';
  return undefined;
}
