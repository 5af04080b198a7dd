import { compileFunction } from 'node:vm';

const { plainExports } = jest.requireActual<{ plainExports: (text: string) => string }>('./plain-exports.js');
const { process: transform } = jest.requireActual<{
  process: (text: string, path: string) => { code: string };
}>('./transform.js');

type Exports = Record<string, unknown>;

/** Runs sources that import each other by their names, the first one first. */
function run(sources: Record<string, string>): Exports {
  const loaded = new Map<string, { exports: Exports }>();
  const load = (request: string): Exports => {
    const name = request.replace('./', '');
    const found = loaded.get(name);
    if (found) return found.exports;
    const module = { exports: {} };
    loaded.set(name, module);
    const code = plainExports(transform(sources[name]!, `${name}.ts`).code);
    const parameters = ['module', 'exports', 'require'];
    (compileFunction(code, parameters) as (...given: unknown[]) => void)(module, module.exports, load);
    return module.exports;
  };
  return load(Object.keys(sources)[0]!);
}

const isFunction = (exports: Exports, name: string) =>
  Object.getOwnPropertyDescriptor(exports, name)?.get !== undefined;

test('the exports of a file and of those that it exports again are values', () => {
  const exports = run({
    index: "export { made } from './made'; export * from './all'; export default class Own {}",
    made: 'export const made = () => 1;',
    all: 'export function all() { return 2; }',
  });
  expect(Object.keys(exports).sort()).toEqual(['all', 'default', 'made']);
  expect(exports.__esModule).toBe(true);
  expect(['made', 'all', 'default'].filter((name) => isFunction(exports, name))).toEqual([]);
  expect((exports.made as () => number)()).toBe(1);
  expect((exports.all as () => number)()).toBe(2);
});

test('an export of a file that has not been run yet has its value later', () => {
  const { first, second } = run({
    first: "export * as second from './second'; export const first = 1;",
    second: "export { first as again } from './first';",
  }) as { first: number; second: Exports };
  expect(isFunction(second, 'again')).toBe(true);
  expect([first, second.again]).toEqual([1, 1]);
});

test('an exported variable has its latest value', () => {
  const exports = run({ file: 'export let count = 0; export function add() { count++; }' });
  (exports.add as () => void)();
  expect(exports.count).toBe(1);
});

test('a line of code keeps its number', () => {
  const { code } = transform('export const a = 1;\nexport const b = 2;\n', 'file.ts');
  const lines = code.split('\n');
  const plain = plainExports(code).split('\n');
  expect(plain.indexOf('const b = 2;')).toBe(lines.indexOf('const b = 2;'));
  expect(plain).not.toEqual(lines);
});
