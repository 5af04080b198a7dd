import { join } from 'node:path';
import { compileFunction } from 'node:vm';

type LoadWhenUsed = (text: string, path: string) => string;
const { loadWhenUsed } = jest.requireActual<{ loadWhenUsed: LoadWhenUsed }>('./load-when-used.js');

type Make = () => { made: unknown };

const PATH = join(__dirname, 'some.test.ts');

test('a module is loaded once, when one of its names is used first', () => {
  const text = `var import_model = require("../../src/model");
    const make = () => new import_model.Made((0, import_model.value)());
    return make;`;
  const loaded: string[] = [];
  const load = (request: string) => {
    loaded.push(request);
    return {
      Made: class {
        constructor(readonly made: unknown) {}
      },
      value: () => 'value',
    };
  };
  const code = compileFunction(loadWhenUsed(text, PATH), ['require']) as (require: unknown) => Make;
  const make = code(load);
  expect(loaded).toEqual([]);
  expect([make().made, make().made]).toEqual(['value', 'value']);
  expect(loaded).toEqual(['../../src/model']);
});

test.each([
  ['of the tests', 'var import_client = require("../client/support/client");\n(0, import_client.connect)();'],
  ['without names', 'var import_polyfill = require("../../src/polyfill");\n'],
])('modules %s are loaded at once', (_, text) => {
  expect(loadWhenUsed(text, PATH)).toBe(text);
});
