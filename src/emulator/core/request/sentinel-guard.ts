import {
  type Decision,
  decide,
  denialTexts,
  type RequestFacts,
  type SentinelPolicy,
  type TokenFacts,
  type Verdict,
} from '../../../enforcement';
import type { Namespace, TokenEntry } from '../backend';
import { collect, LogicalError } from '../errors';
import type { ClusterParts } from '../parts';
import type { PolicyFailure } from '../stores/policy-failures';
import type { Call } from './call';

/** A request for which ACL policies have nothing more to say. */
interface Guarded {
  readonly call: Call;
  readonly operation: Call['operation'];
  readonly namespace: Namespace;
  /** Relative to the namespace. */
  readonly path: string;
  readonly token: TokenEntry | undefined;
  /** Whether the path needs no token. */
  readonly unauthenticated: boolean;
}

/** Asks the RGPs and EGPs that are about a request. */
export class SentinelGuard {
  readonly #cluster: ClusterParts;

  constructor(cluster: ClusterParts) {
    this.#cluster = cluster;
  }

  /** @throws LogicalError if a policy denies the request. */
  check(request: Guarded): void {
    const { token, unauthenticated } = request;
    if (token?.policies.includes('root')) return;
    const policies = [...this.#rgps(token), ...this.#egps(request.namespace)];
    if (policies.length === 0) return;
    const { clock, disableSentinelTrace, server } = this.#cluster;
    const decision = decide(policies, this.#facts(request), {
      now: BigInt(clock.now()) * 1_000_000n,
      limits: server.assumed('sentinelBounds').limits,
    });
    this.#record(request, decision);
    if (decision.allowed) return;
    const { status, isTraced } = unauthenticated
      ? server.assumed('sentinelRefusals')
      : { status: 403, isTraced: true };
    throw new LogicalError(status, collect(denialTexts(decision, isTraced && !disableSentinelTrace)));
  }

  /** Those that a token has by name. */
  #rgps(token: TokenEntry | undefined): readonly SentinelPolicy[] {
    const { namespaces, sentinelPolicies } = this.#cluster;
    const namespace = token && namespaces.byId(token.namespaceId);
    if (token === undefined || namespace === undefined) return [];
    return token.policies
      .map((name) => sentinelPolicies.rgp(namespace, name))
      .filter((policy) => policy !== undefined);
  }

  /** Those of a namespace and of the namespaces that it is in. */
  #egps(namespace: Namespace): readonly SentinelPolicy[] {
    const { namespaces, sentinelPolicies } = this.#cluster;
    return namespaces.lineage(namespace).flatMap((each) => sentinelPolicies.egps(each));
  }

  #facts({ call, operation, namespace, path, token, unauthenticated }: Guarded): RequestFacts {
    const { namespaces, replication } = this.#cluster;
    return {
      namespace,
      path,
      operation,
      data: call.body,
      remoteAddress: call.remoteAddress,
      policyOverride: call.policyOverride,
      unauthenticated,
      wrapTtl: call.wrap?.ttlSeconds ?? 0,
      ...(token && { token: tokenFacts(token, namespaces.byId(token.namespaceId) ?? namespace) }),
      replication: { performance: replication.mode, dr: 'disabled' },
    };
  }

  #record({ namespace, path, operation }: Guarded, decision: Decision): void {
    const { clock, policyFailures } = this.#cluster;
    const record = (verdicts: readonly Verdict[], effect: PolicyFailure['effect']) => {
      for (const { policy, error } of verdicts) {
        policyFailures.record({
          time: clock.now(),
          kind: policy.kind,
          policy: policy.fullName,
          level: policy.level,
          effect,
          namespace: namespace.path,
          path,
          operation,
          error: error?.message ?? '',
        });
      }
    };
    record(decision.advisories, 'advisory');
    record(decision.overridden, 'overridden');
    record(decision.denials, 'denied');
  }
}

function tokenFacts(token: TokenEntry, namespace: Namespace): TokenFacts {
  return {
    policies: token.policies,
    path: token.path,
    displayName: token.displayName,
    numUses: token.usesLeft,
    role: token.role ?? '',
    entityId: token.entityId ?? '',
    period: token.periodSeconds,
    explicitMaxTtl: token.explicitMaxTtlSeconds,
    creationTtl: token.creationTtlSeconds,
    createdAt: token.createdAt,
    metadata: token.metadata ?? {},
    type: token.type,
    namespace,
  };
}
