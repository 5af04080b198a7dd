import {
  type Decision,
  decide,
  denialTexts,
  type IdentityFacts,
  type ReplicationFacts,
  type RequestFacts,
  type SentinelPolicy,
  type TokenFacts,
  type Verdict,
} from '../../../enforcement';
import type { Namespace, TokenEntry } from '../backend';
import { collect, LogicalError } from '../errors';
import type { ClusterParts } from './parts';
import { derivedPolicies } from '../identity/derived-policies';
import { identityFacts } from '../identity/identity-facts';
import type { Entity } from '../identity/records';
import type { Mounted } from '../routing/mounts';
import type { PolicyFailure } from '../stores/policy-failures';
import type { ApiRequest } from '../call';

/** A call with the namespace, token and mount that the cluster found for it. */
export interface LocatedCall {
  readonly call: ApiRequest;
  readonly namespace: Namespace;
  /** The path relative to the namespace. */
  readonly path: string;
  readonly token: TokenEntry | undefined;
  readonly mounted: Mounted | undefined;
  /** The path relative to the mount. */
  readonly rest: string;
}

/** A call that the ACL policies have already decided on. */
interface Guarded extends LocatedCall {
  readonly operation: ApiRequest['operation'];
  /** Whether the path needs no token. */
  readonly unauthenticated: boolean;
}

/** Evaluates the RGPs and EGPs that apply to a request. */
export class SentinelGuard {
  readonly #cluster: ClusterParts;

  constructor(cluster: ClusterParts) {
    this.#cluster = cluster;
  }

  /** @throws LogicalError if a policy denies the request. */
  check(authorized: LocatedCall, operation: ApiRequest['operation'], unauthenticated: boolean): void {
    const { token } = authorized;
    if (token?.policies.includes('root')) return;
    const policies = [...this.#rgps(token), ...this.#egps(authorized.namespace)];
    if (policies.length === 0) return;
    const { call, namespace, path, mounted, rest } = authorized;
    const request = { call, namespace, path, token, mounted, rest, operation, unauthenticated };
    const { clock, disableSentinelTrace, server } = this.#cluster;
    const decision = decide(policies, new GuardedFacts(this.#cluster, request), {
      now: BigInt(clock.now()) * 1_000_000n,
      limits: server.assumed('sentinelBounds').limits,
      listsWithoutSlash: server.assumed('egpLists').listsWithoutSlash,
    });
    this.#record(request, decision);
    if (decision.allowed) return;
    const { status, isTraced } = unauthenticated
      ? server.assumed('sentinelRefusals')
      : { status: 403, isTraced: true };
    throw new LogicalError(status, collect(denialTexts(decision, isTraced && !disableSentinelTrace)));
  }

  /** Returns the RGPs of a token: its own, its entity's, and those of the entity's groups. */
  #rgps(token: TokenEntry | undefined): readonly SentinelPolicy[] {
    if (token === undefined) return [];
    const { identity, namespaces, sentinelPolicies } = this.#cluster;
    const derived = derivedPolicies(identity, namespaces, token, 'rgp');
    const found = new Set<SentinelPolicy>();
    for (const [namespaceId, names] of [[token.namespaceId, token.policies] as const, ...derived]) {
      const namespace = namespaces.byId(namespaceId);
      for (const name of names) {
        const policy = namespace && sentinelPolicies.rgp(namespace, name);
        if (policy !== undefined) found.add(policy);
      }
    }
    return [...found];
  }

  /** Returns the EGPs of a namespace and of its parents. */
  #egps(namespace: Namespace): readonly SentinelPolicy[] {
    const { namespaces, sentinelPolicies } = this.#cluster;
    return namespaces.lineage(namespace).flatMap((each) => sentinelPolicies.egps(each));
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

/**
 * The facts about a call. Facts about token and identity are determined when a policy reads them.
 * Facts about MFA are determined once for all policies, because a passcode can only be used once.
 */
class GuardedFacts implements RequestFacts {
  readonly #cluster: ClusterParts;
  readonly #request: Guarded;
  #identity: { readonly facts: IdentityFacts | undefined } | undefined;
  #mfaMethods: RequestFacts['mfaMethods'];

  constructor(cluster: ClusterParts, request: Guarded) {
    this.#cluster = cluster;
    this.#request = request;
  }

  get namespace(): Namespace {
    return this.#request.namespace;
  }

  get path(): string {
    return this.#request.path;
  }

  get operation(): string {
    return this.#request.operation;
  }

  get unauthenticated(): boolean {
    return this.#request.unauthenticated;
  }

  get data(): ApiRequest['body'] {
    return this.#request.call.body;
  }

  get remoteAddress(): string {
    return this.#request.call.remoteAddress;
  }

  get policyOverride(): boolean {
    return this.#request.call.policyOverride;
  }

  get wrapTtl(): number {
    return this.#request.call.wrap?.ttlSeconds ?? 0;
  }

  get token(): TokenFacts | undefined {
    const { token, namespace } = this.#request;
    return token && tokenFacts(token, this.#cluster.namespaces.byId(token.namespaceId) ?? namespace);
  }

  get identity(): IdentityFacts | undefined {
    if (!this.#identity) {
      const entity = this.#entity;
      this.#identity = { facts: entity && identityFacts(this.#cluster, entity) };
    }
    return this.#identity.facts;
  }

  get replication(): ReplicationFacts {
    return { performance: this.#cluster.replication.mode, dr: 'disabled' };
  }

  get mfaMethods(): RequestFacts['mfaMethods'] {
    this.#mfaMethods ??= this.#cluster.mfa.facts(this.#entity?.id, this.#request.call.mfaCredentials);
    return this.#mfaMethods;
  }

  /** The entity of the token, or of the user who logs in. */
  get #entity(): Entity | undefined {
    const { call, token, mounted, rest, unauthenticated } = this.#request;
    const { identity } = this.#cluster;
    const name = unauthenticated ? mounted?.backend.loginName?.(rest, call.body) : undefined;
    if (mounted !== undefined && name !== undefined)
      return identity.entities.byAlias(mounted.entry.accessor, name);
    return token?.entityId === undefined ? undefined : identity.entityOrMerged(token.entityId);
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
