import { collect, codedError, LogicalError, invalidRequest } from '../core/errors';
import { customMetadataProblems } from '../core/primitives/custom-metadata';
import { policyName } from '../core/stores/policy-store';

const MOST_PAIRS = 64;
const LONGEST_KEY = 128;
const LONGEST_VALUE = 512;
const KEY = /^[a-zA-Z0-9=/+_-]+$/;
const RESERVED_PREFIX = 'vault-';

type Texts = Readonly<Record<string, string>>;

/**
 * @param owner the kind of object that has the metadata: `entity`.
 * @throws LogicalError 500, as the server does.
 */
export function checkMetadata(owner: string, metadata: Texts | null): void {
  const pairs = Object.entries(metadata ?? {});
  const fault =
    pairs.length > MOST_PAIRS
      ? `metadata cannot contain more than ${MOST_PAIRS} key/value pairs`
      : pairs.map(pairFault).find((each) => each !== undefined);
  if (fault !== undefined) throw codedError(500, `invalid ${owner} metadata: ${fault}`);
}

function pairFault([key, value]: readonly [string, string]): string | undefined {
  const fault = keyFault(key) ?? (value.length > LONGEST_VALUE ? tooLong('value', LONGEST_VALUE) : undefined);
  return fault && `failed to load metadata pair (${JSON.stringify(key)}, ${JSON.stringify(value)}): ${fault}`;
}

function keyFault(key: string): string | undefined {
  if (key === '') return 'key cannot be blank';
  if (!KEY.test(key)) return 'key contains invalid characters';
  if (key.length > LONGEST_KEY) return tooLong('key', LONGEST_KEY);
  return key.startsWith(RESERVED_PREFIX)
    ? `key prefix "${RESERVED_PREFIX}" is reserved for internal use`
    : undefined;
}

function tooLong(what: string, limit: number): string {
  return `${what} is too long (limit: ${limit} characters)`;
}

/** @throws LogicalError 500, as the server does. */
export function checkCustomMetadata(metadata: Texts): void {
  const problems = customMetadataProblems(metadata);
  if (problems.length > 0) throw new LogicalError(500, collect(problems));
}

/**
 * Returns the policies of an entity or group: in lower case, without duplicates, in the given
 * order.
 */
export function policyNames(given: readonly string[]): readonly string[] {
  const names = [...new Set(given.map(policyName).filter((name) => name !== ''))].sort();
  if (names.includes('root')) throw invalidRequest('policies cannot contain root');
  return names;
}

/** Creates the refusal of an object that belongs to another namespace than the request. */
export function otherNamespace(text: string) {
  return codedError(403, text);
}
