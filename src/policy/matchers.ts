import {
  groupChanges,
  isWidening,
  requestText,
  shortLine,
  type AclChange,
  type AclComparedOperation,
} from '../model';
import { notAPolicySet } from './messages';
import { PolicySet, type PolicyOperation, type RequestDetails } from './policy-set';

/** The matchers that this package adds to `expect(policies)`. */
export interface PolicyMatchers<R> {
  /**
   * Passes if the policies allow the request, or each of the requests. The failure shows the rule
   * that decides, and why.
   *
   * @param path without `/v1/`.
   */
  toAllow(operation: PolicyOperation | readonly PolicyOperation[], path: string, details?: RequestDetails): R;

  /**
   * Passes if the policies allow no request for any path of the pattern, whatever its parameters.
   * The failure shows a request that they allow.
   *
   * @param pattern a path as policies name it, with `+` for a segment and a final `*` for any
   *   ending.
   */
  toNeverAllow(operation: AclComparedOperation | readonly AclComparedOperation[], pattern: string): R;

  /**
   * Passes if the policies allow nothing that others do not allow. The failure shows the
   * differences, each with a request.
   */
  toAllowNoMoreThan(others: PolicySet): R;

  /**
   * Passes if the policies allow the same as others. The failure shows the differences, each with a
   * request.
   */
  toAllowTheSameAs(others: PolicySet): R;
}

interface MatcherResult {
  readonly pass: boolean;
  message(): string;
}

/** Matchers for `expect.extend`, of Jest and of Vitest. */
export const POLICY_MATCHERS = { toAllow, toNeverAllow, toAllowNoMoreThan, toAllowTheSameAs };

function toAllow(
  received: unknown,
  operation: PolicyOperation | readonly PolicyOperation[],
  path: string,
  details?: RequestDetails,
): MatcherResult {
  const set = policySet('toAllow', received);
  const operations = [operation].flat();
  const denied = operations.filter((each) => !set.allows(each, path, details));
  const pass = denied.length === 0;
  return {
    pass,
    message: () => {
      const [first] = pass ? operations : denied;
      const explanation = first === undefined ? '' : set.explain(first, path, details).text;
      return `expected ${nameOf(set)} ${pass ? 'not to allow' : 'to allow'} ${operations.join(', ')} ${path}\n\n${explanation}`;
    },
  };
}

function toNeverAllow(
  received: unknown,
  operation: AclComparedOperation | readonly AclComparedOperation[],
  pattern: string,
): MatcherResult {
  const set = policySet('toNeverAllow', received);
  const operations = [operation].flat();
  const found = operations
    .map((each) => ({ operation: each, request: set.findAllowed(each, pattern) }))
    .find(({ request }) => request !== undefined);
  return {
    pass: found === undefined,
    message: () => {
      const asked = `${operations.join(', ')} ${pattern}`;
      if (!found?.request) return `expected ${nameOf(set)} to allow a request: ${asked}`;
      const { path, operation: done, ...details } = found.request;
      return (
        `expected ${nameOf(set)} never to allow ${asked}\n\n` +
        (found.operation === 'sudo' || found.operation === 'subscribe'
          ? `The path ${JSON.stringify(path)} has the capability "${found.operation}".`
          : set.explain(done as PolicyOperation, path, details).text)
      );
    },
  };
}

function toAllowNoMoreThan(received: unknown, others: unknown): MatcherResult {
  const set = policySet('toAllowNoMoreThan', received);
  const other = policySet('toAllowNoMoreThan', others);
  const more = other.changesTo(set).filter(isWidening);
  return {
    pass: more.length === 0,
    message: () =>
      more.length === 0
        ? `expected ${nameOf(set)} to allow more than ${nameOf(other)}`
        : `expected ${nameOf(set)} to allow no more than ${nameOf(other)}\n\n${differences(more)}`,
  };
}

function toAllowTheSameAs(received: unknown, others: unknown): MatcherResult {
  const set = policySet('toAllowTheSameAs', received);
  const other = policySet('toAllowTheSameAs', others);
  const changes = other.changesTo(set);
  return {
    pass: changes.length === 0,
    message: () =>
      changes.length === 0
        ? `expected ${nameOf(set)} not to allow the same as ${nameOf(other)}`
        : `expected ${nameOf(set)} to allow the same as ${nameOf(other)}\n\n${differences(changes)}`,
  };
}

function differences(changes: readonly AclChange[]): string {
  return groupChanges(changes)
    .map((group) => {
      const sign = isWidening(group[0]) ? '+' : '-';
      return `${sign} ${shortLine(group)}\n    for example ${requestText(group[0].witness)}`;
    })
    .join('\n');
}

function policySet(matcher: string, received: unknown): PolicySet {
  if (received instanceof PolicySet) return received;
  throw notAPolicySet(matcher, received);
}

function nameOf({ names }: PolicySet): string {
  const quoted = names.map((name) => JSON.stringify(name)).join(', ');
  return names.length === 1 ? `the policy ${quoted}` : `the policies ${quoted}`;
}
