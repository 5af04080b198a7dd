import {
  compilePolicy,
  decide,
  egpGoverns,
  type RequestFacts,
  type SentinelPolicy,
  type Verdict,
} from '../../enforcement';
import type { CallerFacts } from './caller';
import type { TerraformsRequest } from './terraforms-requests';

/** What a server decides on one of Terraform's requests by an EGP. */
type Judgment =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'refused'; readonly verdict: Verdict }
  /** The policy reads something that is known to the server alone. */
  | { readonly kind: 'unknown'; readonly reads: string };

const NANOSECONDS_PER_MILLISECOND = 1_000_000n;

/** Where a cluster is, as a policy sees the caller. */
export interface Vantage {
  /** `undefined`: the server does not tell who Terraform is. */
  readonly caller: CallerFacts | undefined;
  /** The address that the server sees, where that is certain. */
  readonly address: string | undefined;
  /** Milliseconds since 1970. */
  readonly now: number;
}

export { compilePolicy };

/** Whether an EGP is asked about a request at all. */
export function governs(policy: SentinelPolicy, { path, namespace }: TerraformsRequest): boolean {
  const { paths = [] } = policy;
  return egpGoverns({ namespace: policy.namespace, paths }, { path, namespace: { id: '', path: namespace } });
}

/** Decides on a request that an EGP governs, as the server will. */
export function judge(policy: SentinelPolicy, request: TerraformsRequest, vantage: Vantage): Judgment {
  const { caller, address, now } = vantage;
  const token = request.isLogin ? undefined : caller?.token;
  if (token?.policies.includes('root')) return { kind: 'allowed' };
  // The token may be that of root, which nothing is refused.
  if (!request.isLogin && !caller) return { kind: 'unknown', reads: 'the token' };
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
  return { kind: 'refused', verdict };
}

/** How a policy stops that reads what a request does not have. */
const ABSENT_NAME = /: unknown identifier accessed: (identity)\b/;

/** What the text reads that only the server knows. Whether it comes to read `identity` turns out when it runs. */
function whatIsNotKnown(
  { program, text }: SentinelPolicy,
  request: TerraformsRequest,
  { address }: Vantage,
): string | undefined {
  // A text that does not parse refuses everything, whatever it reads.
  if (!('reads' in program)) return undefined;
  const { reads } = program;
  if (reads.has('http')) return 'the import http';
  if (reads.has('replication')) return 'replication';
  if (/\bremote_addr\b/.test(text) && address === undefined) return 'request.connection.remote_addr';
  if (/\bdata\b/.test(text) && request.data === undefined) return 'request.data';
  return undefined;
}
