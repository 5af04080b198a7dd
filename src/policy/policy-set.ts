import {
  AclPolicySet,
  aclOptionsFor,
  ceilingOf,
  diffPolicySets,
  DEFAULT_POLICY,
  explainRequest,
  explanationLines,
  isWidening,
  LimitedPolicySet,
  findPermitted,
  parseDuration,
  SHIPPED_DEFAULT_POLICY,
  type AclChange,
  type AclComparedOperation,
  type AclExplanation,
  type AclIdentity,
  type AclLimit,
  type AclOptions,
  type AclRequest,
  type AclServerSettings,
} from '../model';
import { ASSUMED_SERVER_VERSION, isOlder } from '../model/versions';
import { readSources, type AclPolicySource, type SourcedPolicy } from './acl-sources';
import type { ExpressionValues } from './known-text';
import { withoutVersion } from './request-path';
import { limitByDetails, readAuthorizationDetails } from './authorization-details';
import { differsByPlace, noPolicyNamed, noPolicyOn, notDetails } from './messages';

/**
 * The operation of a request. A write is `create` if the object does not exist yet and the endpoint
 * can determine that, otherwise `update`.
 */
export type PolicyOperation = 'create' | 'read' | 'update' | 'patch' | 'delete' | 'list' | 'recover';

/** The properties of a request besides its operation and path. */
export interface RequestDetails {
  /**
   * The parameters of the request.
   *
   * @default - none
   */
  readonly data?: Readonly<Record<string, unknown>> | undefined;

  /**
   * The TTL of the response wrapping that the request asks for: seconds, or a text such as `5m`.
   *
   * @default - none: the request asks for no wrapping
   */
  readonly wrapTtl?: number | string | undefined;
}

/** The options for reading policies. */
export interface PolicySetOptions {
  /**
   * The version of the server whose rules apply, such as `1.18.3`.
   *
   * @default - the version of the clusters that an app writes the policies to, if it specifies one;
   *   otherwise 1.21.0
   */
  readonly serverVersion?: string | undefined;

  /**
   * The settings of the server that change how it decides.
   *
   * @default - the usual settings
   */
  readonly server?: AclServerSettings | undefined;

  /**
   * Values that are only known to Terraform, by their references in the app: `{ 'var.team': 'red',
   * 'vault_mount.kv.path': 'kv' }`.
   *
   * @default - none: a policy with an expression in it is refused
   */
  readonly values?: ExpressionValues | undefined;

  /**
   * The identity that templates (`{{identity…}}`) in paths are resolved for.
   *
   * @default - none: templates are left as they are
   */
  readonly identity?: AclIdentity | undefined;
}

type DecisionOptions = Pick<PolicySetOptions, 'serverVersion' | 'server' | 'identity'>;

/** The limits of an agent of Vault Enterprise: each has to allow a request as well. */
export interface AgentLimits {
  /**
   * The policies of the ceiling.
   *
   * @default - none: the agent has no ceiling
   */
  readonly ceiling?: PolicySet | undefined;

  /**
   * The claim `authorization_details` of the token. Only details of the type `vault:path_access`
   * count.
   *
   * @default - none: the token has no details of authorization
   */
  readonly authorizationDetails?: unknown;
}

/** The reason why a request is allowed or denied. */
export interface PolicyExplanation extends AclExplanation {
  /** The names of the policies that allow the request by themselves. */
  readonly allowedBy: readonly string[];
  /** The version of the server whose rules were followed. */
  readonly serverVersion: string;
  /** The full explanation, for people. */
  readonly text: string;
}

/**
 * The ACL policies of one token, with methods that determine what they allow, by the server's own
 * rules.
 *
 * ```ts
 * const policies = PolicySet.of(app).only('app-reader', 'default');
 * policies.allows('read', 'secret/data/app/x'); // true
 * ```
 *
 * RGPs, EGPs and control groups are further decisions: see `simulate`.
 */
export class PolicySet {
  /**
   * Reads policies.
   *
   * @param sources an app, a stack or another construct with policies; the path of a file or a
   *   folder; the text of a policy; texts by their names; or a list of any of these.
   * @throws PolicySourceError for a source without policies, and for a policy that does not parse
   *   or is not known yet.
   */
  static of(
    sources: AclPolicySource | readonly AclPolicySource[],
    options: PolicySetOptions = {},
  ): PolicySet {
    const { values = {}, serverVersion, server, identity } = options;
    return new PolicySet(readSources(isList(sources) ? sources : [sources], values, serverVersion), {
      serverVersion,
      server,
      identity,
    });
  }

  readonly #policies: readonly SourcedPolicy[];
  readonly #options: DecisionOptions;
  readonly #limits: AgentLimits;
  readonly #joined = new Map<string, AclPolicySet>();

  private constructor(
    policies: readonly SourcedPolicy[],
    options: DecisionOptions,
    limits: AgentLimits = {},
  ) {
    this.#policies = policies;
    this.#options = options;
    this.#limits = limits;
  }

  /** The names of the policies. */
  get names(): readonly string[] {
    return [...new Set(this.#policies.map(({ name }) => name))];
  }

  /**
   * Returns the policies with these names, together. If no source has a policy `default`, it is the
   * one that servers come with.
   *
   * @throws PolicySourceError if there is no policy with one of the names.
   */
  only(...names: readonly string[]): PolicySet {
    const known = [...this.names, DEFAULT_POLICY];
    const unknown = names.find((name) => !known.includes(name));
    if (unknown !== undefined) throw noPolicyNamed(unknown, this.names);
    const isShipped = names.includes(DEFAULT_POLICY) && !this.names.includes(DEFAULT_POLICY);
    const shipped = isShipped ? readSources([{ [DEFAULT_POLICY]: SHIPPED_DEFAULT_POLICY }], {}) : [];
    const chosen = this.#policies.filter(({ name }) => names.includes(name));
    return new PolicySet([...chosen, ...shipped], this.#options, this.#limits);
  }

  /**
   * Returns the policies that an app writes to one of its clusters.
   *
   * @throws PolicySourceError if the cluster has no policies.
   */
  on(cluster: string): PolicySet {
    const clusters = [...new Set(this.#policies.map((policy) => policy.cluster ?? []).flat())];
    if (!clusters.includes(cluster)) throw noPolicyOn(cluster, clusters);
    return new PolicySet(
      this.#policies.filter((policy) => policy.cluster === cluster),
      this.#options,
      this.#limits,
    );
  }

  /**
   * Returns the policies with the limits of an agent, which replace earlier limits.
   *
   * Methods of the result throw a PolicySourceError if the claim has an undocumented part, or has
   * several details of one path, and one of these limits parameters.
   */
  limitedBy(limits: AgentLimits): PolicySet {
    return new PolicySet(this.#policies, this.#options, limits);
  }

  /**
   * Whether the policies allow a request.
   *
   * @param path without `/v1/`, with the namespace of the request.
   */
  allows(operation: PolicyOperation, path: string, details: RequestDetails = {}): boolean {
    return explainRequest(this.#set, requestOf(operation, path, details)).allowed;
  }

  /**
   * Explains why the policies allow or deny a request: the rule that decides, and the rules that do
   * not, with reasons.
   */
  explain(operation: PolicyOperation, path: string, details: RequestDetails = {}): PolicyExplanation {
    const request = requestOf(operation, path, details);
    const { policies, options } = this.#set;
    const explanation = explainRequest(this.#set, request);
    const allowedBy = policies
      .filter((policy) => explainRequest(new AclPolicySet([policy], options), request).allowed)
      .map(({ name }) => name);
    const serverVersion = this.#version;
    const lines = explanationLines(explanation, allowedBy);
    const text = [...lines, '', `By the rules of server version ${serverVersion}.`].join('\n');
    return { ...explanation, allowedBy, serverVersion, text };
  }

  /**
   * Finds a request for one of the paths of a pattern that the policies allow. The search is
   * complete: if it finds nothing, the policies allow no request for the pattern, whatever its path
   * and parameters.
   *
   * @param operation also `sudo` and `subscribe`: a path on which the policies have the
   *   capability.
   * @param pattern a path as policies name it, with `+` for a segment and a final `*` for any
   *   ending.
   */
  findAllowed(operation: AclComparedOperation, pattern: string): AclRequest | undefined {
    return findPermitted(this.#set, operation, withoutVersion(pattern));
  }

  /** Whether both sets allow the same requests. */
  equals(other: PolicySet): boolean {
    return this.changesTo(other).length === 0;
  }

  /** Whether the policies allow nothing that others do not allow. */
  isSubsetOf(other: PolicySet): boolean {
    return !other.changesTo(this).some(isWidening);
  }

  /**
   * Returns what changes if other policies replace these, with an example request for each
   * difference.
   */
  changesTo(other: PolicySet): readonly AclChange[] {
    const before = this.#setFor(this.#knownVersion ?? other.#version);
    const after = other.#setFor(other.#knownVersion ?? this.#version);
    return diffPolicySets(before, after).filter(({ untidy }) => !untidy);
  }

  get #version(): string {
    return this.#knownVersion ?? ASSUMED_SERVER_VERSION;
  }

  /** The given version, or the oldest version among the app's clusters. */
  get #knownVersion(): string | undefined {
    if (this.#options.serverVersion !== undefined) return this.#options.serverVersion;
    const versions = this.#policies.flatMap(({ serverVersion }) => serverVersion ?? []);
    return versions.length === 0 ? undefined : versions.reduce((a, b) => (isOlder(b, a) ? b : a));
  }

  get #set(): AclPolicySet {
    return this.#setFor(this.#version);
  }

  /**
   * Returns the policies as one set, for a version of the server.
   *
   * @throws PolicySourceError if two policies have one name and different texts: no token can
   *   have both.
   */
  #setFor(version: string): AclPolicySet {
    const known = this.#joined.get(version);
    if (known) return known;
    const { identity, server } = this.#options;
    const own = new AclPolicySet(distinct(this.#policies), {
      ...aclOptionsFor(version, server),
      ...(identity && { identity }),
    });
    const limits = this.#limitsFor(version, own.options);
    const set = limits.length === 0 ? own : new LimitedPolicySet(own, limits);
    this.#joined.set(version, set);
    return set;
  }

  #limitsFor(version: string, options: AclOptions): readonly AclLimit[] {
    const { ceiling, authorizationDetails: claim } = this.#limits;
    return [
      ...(ceiling ? [ceilingOf(ceiling.#setFor(version))] : []),
      ...(claim === undefined
        ? []
        : [limitByDetails(readAuthorizationDetails(claim, notDetails), options, notDetails)]),
    ];
  }
}

function distinct(policies: readonly SourcedPolicy[]): readonly SourcedPolicy[] {
  const byName = new Map<string, SourcedPolicy>();
  for (const policy of policies) {
    const id = policy.policy.namespace + policy.name;
    const same = byName.get(id);
    if (same && same.text !== policy.text) throw differsByPlace(policy.name, [same.place, policy.place]);
    byName.set(id, policy);
  }
  return [...byName.values()];
}

function isList(
  sources: AclPolicySource | readonly AclPolicySource[],
): sources is readonly AclPolicySource[] {
  return Array.isArray(sources);
}

function requestOf(operation: PolicyOperation, path: string, { data, wrapTtl }: RequestDetails): AclRequest {
  return {
    operation,
    path: withoutVersion(path),
    ...(data && { data }),
    ...(wrapTtl !== undefined && { wrapTtl: parseDuration(wrapTtl) }),
  };
}
