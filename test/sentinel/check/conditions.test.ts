import { VAULT_ENVIRONMENT } from '../../../src/model/sentinel';
import { check, fromHost } from '../../../src/sentinel';
import { Random } from '../../model/support/random';
import { run } from '../support/policies';

const VALUES = {
  'request.operation': ['"create"', '"read"', '"list"'],
  'token.period': ['0', '1', '2', '3'],
  'request.data.x': ['1', '2', '3', '"a"', '"b"', 'true', '2.5'],
} as const;
type Path = keyof typeof VALUES;
const PATHS = Object.keys(VALUES) as Path[];

/** By path, values that include all those which a condition can distinguish. */
const DATA = {
  'request.operation': ['create', 'read', 'update', 'patch', 'delete', 'list', 'help'],
  'token.period': [0, 1, 2, 3, 4],
  'request.data.x': [0, 1, 1.5, 2, 2.25, 2.5, 3, 4, 'a', 'b', 'c', true, false],
} as const;

function comparison(random: Random): string {
  const path = random.pick(PATHS);
  const values = VALUES[path];
  const isOrdered = path !== 'request.operation' && random.below(2) === 0;
  if (isOrdered) {
    return `${path} ${random.pick(['<', '<=', '>', '>='])} ${random.pick(['1', '2', '3'])}`;
  }
  const value = random.pick(values);
  const list = `[${random.pick(values)}, ${random.pick(values)}]`;
  return random.pick([
    `${path} is ${value}`,
    `${path} is not ${value}`,
    `${path} in ${list}`,
    `${path} not in ${list}`,
  ]);
}

function condition(random: Random, depth: number): string {
  if (depth === 0) return comparison(random);
  const part = () => condition(random, random.below(depth));
  return random.pick([
    () => `(${part()} and ${part()})`,
    () => `(${part()} or ${part()})`,
    () => `(${part()} and ${part()} and ${part()})`,
    () => `not (${part()})`,
  ])();
}

/** Returns the results of a condition for all combinations of values. */
function resultsOf(text: string): ReadonlySet<unknown> {
  const cases = DATA['request.operation'].flatMap((operation) =>
    DATA['token.period'].flatMap((period) =>
      DATA['request.data.x'].map((x) => ({ request: { operation, data: { x } }, token: { period } })),
    ),
  );
  return new Set(
    cases.map((globals) => {
      const values = Object.entries(globals).map(([name, value]) => [name, fromHost(value)] as const);
      const { error, main } = run(text, { globals: new Map(values) });
      return error ? 'error' : main;
    }),
  );
}

test('random conditions that are reported as constant have one result for all values', () => {
  const random = new Random(7);
  let found = 0;
  for (let round = 0; round < 400; round++) {
    const text = `main = rule { ${condition(random, 3)} }\n`;
    const problems = check(text, 'p', VAULT_ENVIRONMENT)
      .map(({ problem }) => problem)
      .join('\n');
    const isNever = problems.includes('"main" is never true');
    if (!isNever && !problems.includes('"main" is always true')) continue;
    found++;
    expect([text, resultsOf(text).has(isNever)]).toEqual([text, false]);
  }
  expect(found).toBeGreaterThan(20);
});
