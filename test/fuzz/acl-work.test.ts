/** Inputs that are built to make the examination of policies expensive. The steps that it counts must grow with their length. */
import fc from 'fast-check';
import { Effort } from '../../src/model/acl/effort';
import { findValue, type Permitted } from '../../src/model/acl/reasoning/parameter-values';
import { mayBeFilledAs } from '../../src/model/acl/template-paths';
import { fuzz } from './support/fuzz';

const LIMIT = 10_000_000;

/** Returns the steps that an examination takes. */
function stepsOf(examine: (effort: Effort) => unknown): number {
  const effort = new Effort(LIMIT);
  examine(effort);
  return LIMIT - effort.left;
}

interface Constraints {
  readonly allowed: readonly string[];
  readonly denied: readonly string[];
}

/** Few letters, so that globs overlap in many ways. */
const GLOB = fc
  .tuple(
    fc.constantFrom('', '*'),
    fc.array(fc.constantFrom('a', 'b', 'ab', 'ba', ',', ' '), { minLength: 1, maxLength: 8 }),
    fc.constantFrom('', '*', '*'),
  )
  .map(([open, letters, openEnd]) => open + letters.join('') + openEnd);
const CONSTRAINTS: fc.Arbitrary<Constraints> = fc.record({
  allowed: fc.array(GLOB, { minLength: 1, maxLength: 14 }),
  denied: fc.array(GLOB, { maxLength: 4 }),
});
const RULES = fc.record({ permitting: CONSTRAINTS, refusing: CONSTRAINTS });
type Rules = Readonly<Record<'permitting' | 'refusing', Constraints>>;

function permitted({ allowed, denied }: Constraints): Permitted {
  return {
    permissions: {
      capabilities: new Set(['update']),
      allowedParameters: new Map([['p', allowed]]),
      deniedParameters: new Map(denied.length > 0 ? [['p', denied]] : []),
      requiredParameters: [],
      minWrappingTtl: 0,
      maxWrappingTtl: 0,
    },
    perElementLists: true,
    checks: [],
  };
}

/** Follows each glob by itself, as the search did once: the states are all combinations of their positions. */
function searchByCombinations({ permitting, refusing }: Rules, effort: Effort): void {
  const globs = [permitting, refusing].flatMap(({ allowed, denied }) => [...allowed, ...denied]);
  const seen = new Set<string>();
  const queue = [''];
  for (const text of queue) {
    if (queue.length > 20_000) return;
    for (const letter of 'ab, x') {
      const longer = text + letter;
      effort.spend(globs.length);
      const state = globs.map((glob) => positionIn(glob.replaceAll('*', ''), longer)).join();
      if (!seen.has(state)) queue.push(longer);
      seen.add(state);
    }
  }
}

function positionIn(glob: string, text: string): string {
  if (text.includes(glob)) return 'yes';
  let length = Math.min(glob.length, text.length);
  while (!text.endsWith(glob.slice(0, length))) length--;
  return String(length);
}

fuzz<Rules, (rules: Rules, effort: Effort) => unknown>(
  'the search for a value takes steps in proportion to the length of the globs',
  {
    inputs: RULES,
    subject: ({ permitting, refusing }, effort) =>
      findValue('p', [permitted(permitting), permitted(refusing)], [true, false], effort),
    planted: searchByCombinations,
    check(search, rules) {
      const { length } = JSON.stringify(rules);
      const steps = stepsOf((effort) => search(rules, effort));
      if (steps > 5_000 + 1_000 * length) throw new Error(`${steps} steps for ${length} characters`);
    },
  },
);

interface Filled {
  readonly rule: string;
  readonly path: string;
}

const PARTS = fc.array(fc.constantFrom('a', 'b', '/', '/+/', '{{x}}', '{{x}}a', '{{x}}/'), { maxLength: 16 });
const FILLED: fc.Arbitrary<Filled> = fc.record({
  rule: fc.tuple(PARTS, fc.constantFrom('', '*')).map(([parts, end]) => parts.join('') + end),
  path: fc
    .array(fc.constantFrom('a', 'b', '/', 'aa', 'a/'), { maxLength: 30 })
    .map((parts) => parts.join('')),
});

/** Tries every length of every template, as an expression does that backtracks. */
function backtracks(rule: string, path: string, effort: Effort): boolean {
  effort.spend(1);
  if (rule === '' || rule === '*') return rule === '*' || path === '' || path === '/';
  const token = /^\{\{x\}\}|^\+(?=\/|$)/.exec(rule)?.[0];
  if (token === undefined) {
    return rule.charAt(0) === path.charAt(0) && backtracks(rule.slice(1), path.slice(1), effort);
  }
  const rest = rule.slice(token.length);
  const least = token === '+' ? 0 : 1;
  for (let length = path.length; length >= least; length--) {
    if (token === '+' && path.slice(0, length).includes('/')) continue;
    if (backtracks(rest, path.slice(length), effort)) return true;
  }
  return false;
}

fuzz<Filled, typeof mayBeFilledAs>(
  'a templated path is compared with a path in a step for each pair of their characters',
  {
    inputs: FILLED,
    subject: mayBeFilledAs,
    planted: backtracks,
    check(matches, { rule, path }) {
      const steps = stepsOf((effort) => matches(rule, path, effort));
      const most = (rule.length + 2) * (path.length + 2);
      if (steps > most) throw new Error(`${steps} steps for ${rule.length} and ${path.length} characters`);
    },
  },
);
