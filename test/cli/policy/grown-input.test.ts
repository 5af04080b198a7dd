/**
 * Inputs that could take policy commands long, in several forms each. The work of a command has to
 * be in proportion to the length of its input.
 *
 * @counts-work
 */
import { Effort } from '../../../src/model/acl/effort';
import { countedWorkOf } from '../../support/counted-work';
import { fileFor, runCommand } from '../../fuzz/support/commands';

const rules = (count: number, rule: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => rule(index)).join('');
const rule = (path: string, more = 'capabilities = ["read"]') => `path "${path}" {\n  ${more}\n}\n`;
const texts = (count: number, text: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => JSON.stringify(text(index))).join(', ');
const UPDATE = 'capabilities = ["update"]';

const POLICIES: Readonly<Record<string, string>> = {
  'a template of its own in each rule': rules(200, (index) =>
    rule(`a${index}/{{identity.entity.metadata.m${index}}}`),
  ),
  'templates that meet in one segment': rules(200, (index) =>
    rule(`{{identity.entity.name}}a{{identity.entity.metadata.m}}b${index}/+/c`),
  ),
  'rules that differ by a "+" in one of ten segments': rules(100, (index) =>
    rule(
      Array.from({ length: 10 }, (_, at) => ((index >> at) & 1 ? '+' : `s${at}`)).join('/'),
      index % 3 === 0 ? UPDATE : undefined,
    ),
  ),
  'prefixes of one another': rules(100, (index) => rule(`${'a/'.repeat(1 + index)}*`)),
  'many values in a rule whose paths other rules divide':
    rule('kv/*', `${UPDATE}\n  allowed_parameters = { p = [${texts(400, (index) => `v${index}*`)}] }`) +
    rules(200, (index) => rule(`kv/a${index}/*`, 'capabilities = ["deny"]')),
  'globs in denied and allowed values': rule(
    'kv/*',
    `${UPDATE}\n  allowed_parameters = { p = [${texts(60, (index) => `*a${index}*b*`)}] }\n  denied_parameters = { p = [${texts(60, (index) => `*b*${index}a*`)}] }`,
  ),
  'long checks in every rule': rules(60, (index) =>
    rule(
      `kv/+/${index}/*`,
      `${UPDATE}\n  control_group = { factor "f" { identity { group_names = [${texts(60, (at) => `group-${index}-${at}`)}]\n approvals = 1 } } }`,
    ),
  ),
};

const LINE = (index: number, path: string, data: object = {}) =>
  `${JSON.stringify({ type: 'request', auth: { policies: ['app'] }, request: { operation: 'update', path, data } })}\n`;
const LOGS: Readonly<Record<string, string>> = {
  'paths that begin alike': rules(300, (index) => LINE(index, `kv/${'a/'.repeat(20)}${index}`)),
  'one path of 16 KiB': LINE(0, `kv/${'ab/'.repeat(5_000)}`),
  'many fields': LINE(
    0,
    'kv/a',
    Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`p${at}`, 'x'])),
  ),
};

/**
 * The maximum numbers of counted blocks: of a command that reads almost nothing, of a character,
 * and of a step.
 */
const MOST = { command: 30_000, character: 100, step: 10 } as const;

/** The steps of three comparisons, which a command may make for one policy. */
const MOST_STEPS = 3 * 5_000_000;

let steps = 0;
const spend = Object.getOwnPropertyDescriptor(Effort.prototype, 'spend')!.value as Effort['spend'];
beforeEach(() => {
  steps = 0;
  jest.spyOn(Effort.prototype, 'spend').mockImplementation(function (this: Effort, paid) {
    if (this.left !== Infinity) steps += paid;
    spend.call(this, paid);
  });
});
afterEach(() => jest.restoreAllMocks());

/** Fails if a command does more work than the length of its files and its steps allow. */
async function expectBounded(
  args: readonly string[],
  files: Readonly<Record<string, string>>,
): Promise<void> {
  const work = await countedWorkOf(() => runCommand(args, files));
  const characters = Object.values(files).reduce((sum, { length }) => sum + length, args.join('').length);
  expect(work / (MOST.command + MOST.character * characters + MOST.step * steps)).toBeLessThan(1);
  expect(steps).toBeLessThanOrEqual(MOST_STEPS);
}

const [OLD, POLICY, LOG] = ['old.hcl', 'it.hcl', 'audit.log'].map(fileFor) as [string, string, string];
const COMMANDS: readonly (readonly string[])[] = [
  ['list', POLICY],
  ['can', 'update', 'kv/a/7/b', POLICY],
  ['why', 'update', `a7/${'ab/'.repeat(1_000)}`, POLICY, '--data', `p=${'a7b,'.repeat(500)}`],
  ['lint', POLICY],
  ['check', POLICY],
  ['diff', OLD, POLICY],
  ['upgrade', '--from', '1.15', '--to', '2.2', POLICY],
];

describe.each(Object.entries(POLICIES))('with %s', (_what, text) => {
  test.each(COMMANDS.map((args) => [args[0]!, args] as const))(
    'policy %s ends within the work that the length of the policy allows',
    async (_name, args) => {
      const before = text.replaceAll('"read"', '"list"').replaceAll('v1', 'w1');
      await expectBounded(['policy', ...args], { 'old.hcl': before, 'it.hcl': text });
    },
  );
});

test.each(Object.entries(LOGS))(
  'policy from-audit ends within the work that the length of the log allows: %s',
  async (_what, log) => {
    const policy = POLICIES['templates that meet in one segment']!;
    const files = { 'audit.log': log, 'it.hcl': policy };
    await expectBounded(['policy', 'from-audit', LOG, '--merge-from', '2', '--policies', POLICY], files);
  },
);

test('work that is not counted as steps is found', async () => {
  const text = POLICIES['rules that differ by a "+" in one of ten segments']!;
  jest.spyOn(Effort.prototype, 'spend').mockImplementation(() => {});
  await expect(expectBounded(['policy', 'list', POLICY], { 'it.hcl': text })).rejects.toThrow('toBeLessThan');
});
