import type {
  AliasFacts,
  EntityFacts,
  GroupFacts,
  IdentityFacts,
  MfaFacts,
  ReplicationFacts,
  RequestFacts,
  TokenFacts,
} from '../enforcement';
import { parseDuration } from '../model';
import { parseInstant } from '../sentinel';
import { badTime } from './messages';
import { trimmed } from '../text';

/** A request as a policy sees it, created by {@link requestTo}. */
export interface SimulatedRequest {
  readonly facts: RequestFacts;
  /** The time for `time.now`, in nanoseconds since 1970. */
  readonly now: bigint;
  /** Whether the request has its own namespace. If not, the policy's is used. */
  readonly hasNamespace: boolean;
}

/** The details of a request, besides its operation and path. */
export interface RequestOptions {
  /**
   * The parameters of the request, as they are sent: the command line of Vault sends texts, JSON
   * keeps its types.
   *
   * @default - none
   */
  readonly data?: Readonly<Record<string, unknown>> | undefined;

  /**
   * The time of the request: a `Date`, or a text such as `2026-01-31T09:00:00Z`.
   *
   * @default - a Wednesday at noon, UTC: the same whenever the test runs
   */
  readonly time?: Date | string | undefined;

  /**
   * The address of the caller.
   *
   * @default '127.0.0.1'
   */
  readonly address?: string | undefined;

  /**
   * The token, as {@link tokenWith} returns it; `null` for a request without one, such as a login.
   *
   * @default - a service token with the policy `default`
   */
  readonly token?: Partial<TokenFacts> | null | undefined;

  /**
   * The owner of the token, as {@link identityOf} returns it.
   *
   * @default - nobody: the policy has no `identity`
   */
  readonly identity?: IdentityFacts | undefined;

  /**
   * The namespace of the request, such as `team-a`. Paths are relative to it.
   *
   * @default - the namespace of the policy
   */
  readonly namespace?: string | undefined;

  /**
   * Whether the caller asks to override soft-mandatory policies (`X-Vault-Policy-Override`).
   *
   * @default false
   */
  readonly policyOverride?: boolean | undefined;

  /**
   * The TTL of the response wrapping that the caller asks for: seconds, or a text such as `5m`.
   *
   * @default - no wrapping
   */
  readonly wrapTtl?: number | string | undefined;

  /**
   * The MFA methods by name, with whether the caller's credentials were valid.
   *
   * @default - none
   */
  readonly mfa?: Readonly<Record<string, Partial<MfaFacts>>> | undefined;

  /**
   * The replication modes of the cluster: `disabled`, `bootstrapping`, `primary` or `secondary`.
   *
   * @default - disabled
   */
  readonly replication?: Partial<ReplicationFacts> | undefined;

  /**
   * The control group of the request, with the identities that have authorized it.
   *
   * @default - none: the policy has no `controlgroup`
   */
  readonly controlGroup?: RequestFacts['controlGroup'] | undefined;
}

/** The default time: 2026-01-07, a Wednesday. */
const WEDNESDAY_NOON = '2026-01-07T12:00:00Z';
const NANOSECONDS_PER_MILLISECOND = 1_000_000n;
/** The default TTL of servers, in seconds: 768 hours. */
const USUAL_TTL = 2_764_800;
const ROOT = { id: 'root', path: '' };

/**
 * Makes a request to try a policy on.
 *
 * ```ts
 * requestTo('update', 'secret/data/app', { time: '2026-01-31T20:00:00Z', address: '10.0.0.7' })
 * ```
 *
 * @param operation `create`, `read`, `update`, `patch`, `delete`, `list`, …
 * @param path without `/v1/`, relative to the namespace.
 */
export function requestTo(operation: string, path: string, options: RequestOptions = {}): SimulatedRequest {
  const now = nanoseconds(options.time ?? WEDNESDAY_NOON);
  const createdAt = Number(now / NANOSECONDS_PER_MILLISECOND);
  const { identity, token, mfa = {}, namespace } = options;
  const within = namespaceAt(namespace ?? '');
  return {
    now,
    hasNamespace: namespace !== undefined,
    facts: {
      namespace: within,
      path: asServerSees(operation, path),
      operation,
      data: options.data ?? {},
      remoteAddress: options.address ?? '127.0.0.1',
      policyOverride: options.policyOverride ?? false,
      unauthenticated: token === null,
      wrapTtl: parseDuration(options.wrapTtl ?? 0),
      replication: { performance: 'disabled', dr: 'disabled', ...options.replication },
      mfaMethods: Object.fromEntries(Object.entries(mfa).map(([name, each]) => [name, mfaMethod(each)])),
      ...(token !== null && {
        token: {
          ...tokenWith({ createdAt, namespace: within }),
          entityId: identity?.entity.id ?? '',
          ...token,
        },
      }),
      ...(identity && { identity }),
      ...(options.controlGroup && { controlGroup: options.controlGroup }),
    },
  };
}

/** Returns a token. Default: a service token of the root namespace with the policy `default`. */
export function tokenWith(properties: Partial<TokenFacts> = {}): TokenFacts {
  return {
    policies: ['default'],
    path: 'auth/token/create',
    displayName: 'token',
    numUses: 0,
    role: '',
    entityId: '',
    period: 0,
    explicitMaxTtl: 0,
    creationTtl: USUAL_TTL,
    createdAt: Date.parse(WEDNESDAY_NOON),
    metadata: {},
    type: 'service',
    namespace: ROOT,
    ...properties,
  };
}

/** The details of an identity, besides the name of the entity. */
export interface IdentityOptions extends Partial<Omit<EntityFacts, 'aliases'>> {
  /**
   * The logins of the entity, with their auth methods, such as `{ name: 'ann', mountPath:
   * 'auth/userpass/' }`.
   *
   * @default - none
   */
  readonly aliases?: readonly Partial<AliasFacts>[] | undefined;

  /**
   * The groups of the entity: names, or results of {@link groupNamed}.
   *
   * @default - none
   */
  readonly groups?: readonly (string | GroupFacts)[] | undefined;
}

/** Returns an identity: an entity with its logins and groups. */
export function identityOf(name: string, options: IdentityOptions = {}): IdentityFacts {
  const { aliases = [], groups = [], ...properties } = options;
  const entity: EntityFacts = {
    id: `entity-${name}`,
    name,
    metadata: {},
    policies: [],
    mergedEntityIds: [],
    ...timestamps(),
    ...properties,
    aliases: aliases.map((alias) => aliasOf(name, alias)),
  };
  return {
    entity,
    groups: groups.map((group) =>
      typeof group === 'string' ? groupNamed(group, { memberEntityIds: [entity.id] }) : group,
    ),
  };
}

/** Returns an identity group. */
export function groupNamed(name: string, properties: Partial<GroupFacts> = {}): GroupFacts {
  return {
    id: `group-${name}`,
    name,
    metadata: {},
    policies: [],
    memberEntityIds: [],
    parentGroupIds: [],
    ...timestamps(),
    ...properties,
  };
}

function aliasOf(entity: string, alias: Partial<AliasFacts>): AliasFacts {
  const { name = entity, mountPath = 'auth/userpass/' } = alias;
  const mountType = /^auth\/([^/]+)/.exec(mountPath)?.[1] ?? 'userpass';
  return {
    id: `alias-${name}`,
    name,
    mountAccessor: `auth_${mountType}_00000000`,
    mountPath,
    mountType,
    metadata: {},
    customMetadata: {},
    mergedFromEntityIds: [],
    ...timestamps(),
    ...alias,
  };
}

function mfaMethod(method: Partial<MfaFacts>): MfaFacts {
  return { valid: false, type: 'totp', mountAccessor: '', ...method };
}

function timestamps(): { readonly createdAt: number; readonly updatedAt: number } {
  const time = Date.parse(WEDNESDAY_NOON);
  return { createdAt: time, updatedAt: time };
}

/** Returns a path without a leading slash. The path of a list ends with one. */
function asServerSees(operation: string, path: string): string {
  const tidy = path.replace(/^\/(?:v1\/)?/, '');
  return operation === 'list' && !tidy.endsWith('/') ? `${tidy}/` : tidy;
}

export function namespaceAt(namespace: string): { readonly id: string; readonly path: string } {
  const path = trimmed(namespace, '/');
  return path === '' ? ROOT : { id: `namespace-${path.replaceAll('/', '-')}`, path: `${path}/` };
}

function nanoseconds(time: Date | string): bigint {
  if (typeof time !== 'string') return BigInt(time.getTime()) * NANOSECONDS_PER_MILLISECOND;
  try {
    return parseInstant(time).nanoseconds;
  } catch {
    throw badTime(time);
  }
}
