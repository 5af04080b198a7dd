import { capabilityFor, permitsWrapping, readsParameters, type Acl, type AclRequest } from '../acl';
import type { Permissions } from '../permissions';
import type { AclCapability } from '../policy';
import { stepsFor, type Effort } from '../effort';
import type { ComparedOperation } from './compared-operations';
import { constraintOf, findValue, isFree, type Permitted } from './parameter-values';
import type { ClauseMode } from './policy-set';

/** The parts of a request besides its operation and path. */
export type RequestParts = Pick<AclRequest, 'data' | 'wrapTtl'>;

/** A parameter that no rule names. */
const UNNAMED_PARAMETER = 'example';

/**
 * Finds a request for an operation that `permitting` permits and `refusing` does not, on a path
 * that they decide on.
 * `undefined` permits nothing.
 *
 * @returns `undefined` if no request differs.
 */
export function findDifference(
  operation: ComparedOperation,
  permitting: Permitted | undefined,
  refusing: Permitted | undefined,
  search: ParameterSearch,
): RequestParts | undefined {
  if (!permitting) return undefined;
  const { permissions } = permitting;
  if (isOfPath(operation)) {
    const isGained =
      permissions.capabilities.has(operation) && !refusing?.permissions.capabilities.has(operation);
    return isGained ? {} : undefined;
  }
  const capability = capabilityFor(operation);
  if (!permissions.capabilities.has(capability)) return undefined;
  const wrapTtls = wrapTtlsOf(permissions, refusing?.permissions).filter((ttl) =>
    permitsWrapping(permissions, ttl),
  );
  if (wrapTtls.length === 0) return undefined;
  const withParameters = readsParameters(operation);
  const data = withParameters ? search.common(permitting) : {};
  if (!data) return undefined;
  if (!refusing?.permissions.capabilities.has(capability)) return details(data, wrapTtls[0]);

  const refusedTtl = wrapTtls.findIndex((ttl) => !permitsWrapping(refusing.permissions, ttl));
  if (refusedTtl >= 0) return details(data, wrapTtls[refusedTtl]);
  if (!withParameters) return undefined;
  const refusedData = search.refused(permitting, refusing, data);
  return refusedData && details(refusedData, wrapTtls[0]);
}

/**
 * Finds a request for an operation that both permit.
 *
 * @returns `undefined` if they have none in common.
 */
export function findCommon(
  operation: ComparedOperation,
  a: Permitted,
  b: Permitted,
  search: ParameterSearch,
): RequestParts | undefined {
  const capability = capabilityOf(operation);
  const both = [a, b];
  if (!both.every(({ permissions }) => permissions.capabilities.has(capability))) return undefined;
  if (isOfPath(operation)) return {};
  const wrapTtls = wrapTtlsOf(a.permissions, b.permissions).filter((ttl) =>
    both.every(({ permissions }) => permitsWrapping(permissions, ttl)),
  );
  if (wrapTtls.length === 0) return undefined;
  const data = readsParameters(operation) ? search.common(a, b) : {};
  return data && details(data, wrapTtls[0]);
}

/** Returns the capability that an operation needs. */
export function capabilityOf(operation: ComparedOperation): AclCapability {
  return isOfPath(operation) ? operation : capabilityFor(operation);
}

/**
 * Whether an item is a capability of the path, which does not depend on parameters of the request.
 */
function isOfPath(operation: ComparedOperation): operation is 'sudo' | 'subscribe' {
  return operation === 'sudo' || operation === 'subscribe';
}

/** Returns the operation of the example request for an item. */
export function requestOperation(operation: ComparedOperation, mode: ClauseMode): AclRequest['operation'] {
  if (mode === 'list') return 'list';
  return isOfPath(operation) ? 'read' : operation;
}

/**
 * Whether the path of a request has the capability `subscribe`. A final slash does not make it a
 * list.
 */
export function maySubscribe(acl: Acl, { path }: AclRequest, effort: Effort): boolean {
  return acl.permissionsFor(path, 'read', effort)?.capabilities.has('subscribe') ?? false;
}

/** Whether any request for the operation is permitted. */
export function permitsAny(
  operation: ComparedOperation,
  permitted: Permitted | undefined,
  search: ParameterSearch,
): boolean {
  return findDifference(operation, permitted, undefined, search) !== undefined;
}

/**
 * Returns wrapping TTLs that together show every difference between the bounds, and `undefined` for
 * a request without a TTL. A bound of 0 means no bound: 1, the shortest TTL, is tried for it.
 */
function wrapTtlsOf(...all: readonly (Permissions | undefined)[]): readonly (number | undefined)[] {
  const bounds = all.flatMap((permissions) =>
    permissions ? [permissions.minWrappingTtl, permissions.maxWrappingTtl] : [],
  );
  const ttls = [...bounds, ...bounds.map((bound) => bound + 1)];
  return [undefined, ...ttls.filter((ttl) => ttl > 0)];
}

type Data = Readonly<Record<string, unknown>>;

/**
 * Searches for parameters of requests. Each pair of rules is searched once, because most operations
 * need the same parameters.
 */
export class ParameterSearch {
  readonly #effort: Effort;
  readonly #common = new Map<Permitted, Map<Permitted, Data | undefined>>();
  readonly #refused = new Map<Permitted, Map<Permitted, Data | undefined>>();

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  /**
   * Returns data with only the parameters that one of two rules requires; `undefined` if one of
   * them has no value that both rules permit.
   */
  common(a: Permitted, b = a): Data | undefined {
    return once(this.#common, a, b, () => this.#findCommon(a === b ? [a] : [a, b]));
  }

  /**
   * Finds data that one rule permits and the other refuses; `undefined` if that is impossible.
   *
   * @param required the data that the first rule requires and permits.
   */
  refused(permitting: Permitted, refusing: Permitted, required: Data): Data | undefined {
    return once(this.#refused, permitting, refusing, () => this.#findRefused(permitting, refusing, required));
  }

  #findCommon(all: readonly Permitted[]): Data | undefined {
    const data: [string, unknown][] = [];
    const required = all.flatMap(({ permissions }) => permissions.requiredParameters);
    this.#effort.spend(1 + required.length);
    for (const name of new Set(required.map((each) => each.toLowerCase()))) {
      const wanted = all.map(() => true);
      const found = findValue(name, all, wanted, this.#effort);
      if (!found) return undefined;
      data.push([name, found[0]]);
    }
    return Object.fromEntries(data);
  }

  #findRefused(permitting: Permitted, refusing: Permitted, required: Data): Data | undefined {
    const { requiredParameters } = refusing.permissions;
    const names = namesOf(permitting, refusing);
    this.#effort.spend(requiredParameters.length + names.length);
    const isRequired = (name: string) => Object.hasOwn(required, name.toLowerCase());
    if (!requiredParameters.every(isRequired)) return required;
    for (const name of names) {
      if (this.#cannotDiffer(permitting, refusing, name)) continue;
      const found = findValue(name, [permitting, refusing], [true, false], this.#effort);
      if (found) return { ...required, [name]: found[0] };
    }
    return undefined;
  }

  /**
   * Whether the lists of two rules show that no value is permitted by one and refused by the other.
   * This avoids the search for a value, which takes longest if there is none.
   */
  #cannotDiffer(permitting: Permitted, refusing: Permitted, name: string): boolean {
    const [one, other] = [constraintOf(permitting, name), constraintOf(refusing, name)];
    if (isFree(other)) return true;
    if (JSON.stringify(permitting.rules) !== JSON.stringify(refusing.rules)) return false;
    const [text, otherText] = [JSON.stringify(one), JSON.stringify(other)];
    this.#effort.spend(stepsFor(text) + stepsFor(otherText));
    return text === otherText;
  }
}

function once<Key, Value>(
  known: Map<Key, Map<Key, Value>>,
  first: Key,
  second: Key,
  find: () => Value,
): Value | undefined {
  const ofFirst = known.get(first) ?? new Map<Key, Value>();
  known.set(first, ofFirst);
  if (!ofFirst.has(second)) ofFirst.set(second, find());
  return ofFirst.get(second);
}

/** Returns the parameters that permissions name, and one that they do not name. */
function namesOf(...all: readonly Permitted[]): readonly string[] {
  const named = all.flatMap(({ permissions }) => [
    ...permissions.allowedParameters.keys(),
    ...permissions.deniedParameters.keys(),
  ]);
  const names = new Set(named.filter((name) => name !== '*'));
  let other = UNNAMED_PARAMETER;
  while (names.has(other)) other += '-2';
  return [...names, other];
}

function details(data: Readonly<Record<string, unknown>>, wrapTtl: number | undefined): RequestParts {
  return {
    ...(Object.keys(data).length > 0 && { data }),
    ...(wrapTtl !== undefined && { wrapTtl }),
  };
}
