import { parseAclPolicy, type AclOptions } from '../../../../src/model';
import { AclPolicySet } from '../../../../src/model/acl/reasoning';
import type { Random } from '../../support/random';

const SEGMENTS = ['a', 'b', 'ab', 'A', 'aB', '', '+', '+'];
const CAPABILITIES = ['read', 'list', 'sudo', 'update'];
const VALUES = ['"x"', '"x*"', '"*y"', '"*"', '"*xy*"', 'true', '"x,y"', '["x"]'];

/** Returns a random policy of few segments, so that its patterns overlap often. */
export function randomPolicy(random: Random, withConstraints: boolean): string {
  return listOf(random, 6, () => randomRule(random, withConstraints)).join('\n');
}

/** Returns a list with fewer than `limit` elements. */
export function listOf<T>(random: Random, limit: number, make: () => T): readonly T[] {
  return Array.from({ length: random.below(limit) }, make);
}

export function randomOptions(random: Random): AclOptions {
  return {
    denials: random.pick(['as-written', 'any-case']),
    lists: random.pick(['without-slash-first', 'with-slash-first', 'both']),
    perElementLists: random.below(2) === 0,
    lowerPolicyNames: random.below(2) === 0,
  };
}

export function setOf(text: string, options: AclOptions = {}): AclPolicySet {
  return new AclPolicySet([{ name: 'policy', policy: parseAclPolicy(text) }], options);
}

/** Returns a set with a planted fault: its evaluator is that of another policy. */
export function withEvaluatorOf(other: string, text: string): AclPolicySet {
  return Object.defineProperty(setOf(text), 'acl', { value: setOf(other).acl });
}

function randomRule(random: Random, withConstraints: boolean): string {
  const oneIn = (count: number, line: () => string) => (random.below(count) === 0 ? line() : '');
  const capabilities = random.below(6) === 0 ? ['deny'] : CAPABILITIES.filter(() => random.below(2) === 0);
  const constraints = withConstraints
    ? [
        oneIn(3, () => `allowed_parameters = ${randomParameters(random)}`),
        oneIn(4, () => `denied_parameters = ${randomParameters(random)}`),
        oneIn(5, () => `required_parameters = ["${random.pick(['p', 'Q'])}"]`),
        oneIn(7, () => `min_wrapping_ttl = ${random.pick([10, 60])}`),
        oneIn(7, () => `max_wrapping_ttl = ${random.pick([60, 100])}`),
      ]
    : [];
  const body = [`capabilities = ${JSON.stringify(capabilities)}`, ...constraints].join('\n');
  return `path ${JSON.stringify(randomPath(random))} {\n${body}\n}`;
}

function randomPath(random: Random): string {
  const segments = Array.from({ length: 1 + random.below(3) }, () => random.pick(SEGMENTS));
  const path = segments.join('/') + random.pick(['', '', '*', '/', '/*']);
  return path.includes('+*') ? 'a/*' : path;
}

function randomParameters(random: Random): string {
  const lines = listOf(random, 3, () => {
    const values = listOf(random, 3, () => random.pick(VALUES));
    return `"${random.pick(['p', 'Q', '*'])}" = [${values.join(', ')}]`;
  });
  return `{\n${lines.join('\n')}\n}`;
}
