import {
  listBlock,
  listNested,
  map,
  mapNested,
  object,
  set,
  setBlock,
  singleBlock,
  singleNested,
  string,
  types,
  type Path,
} from '../../../src/plugin';
import { contentOf } from '../../../src/plugin/server/content';
import { attributePath, pathText, visiblePath } from '../../../src/plugin/server/paths';
import type { AttributePath_Step } from '../../../src/plugin/wire/generated/tfplugin6';

const text = string({ optional: true });
const content = contentOf({
  attributes: {
    text,
    labels: map(types.string, { optional: true }),
    set: set(types.string, { optional: true }),
    pair: object({ left: types.tuple(types.string) }, { optional: true }),
    one: singleNested({ deep: singleNested({ text }, { optional: true }) }, { optional: true }),
    many: listNested({ text }, { optional: true }),
    named: mapNested({ text }, { optional: true }),
  },
  blocks: {
    single: singleBlock({ attributes: { text } }),
    list: listBlock({ attributes: { labels: map(types.string, { optional: true }) } }),
    bag: setBlock({ attributes: { text } }),
  },
});

/** Returns a path as text: `.name` for an attribute, `["key"]` and `[0]` for an element. */
function shown(steps: readonly AttributePath_Step[]): string {
  return steps
    .map(({ selector }) => {
      switch (selector!.$case) {
        case 'attributeName':
          return `.${selector!.attributeName}`;
        case 'elementKeyString':
          return `["${selector!.elementKeyString}"]`;
        default:
          return `[${selector!.elementKeyInt}]`;
      }
    })
    .join('');
}

test.each<[Path, string]>([
  [['text'], '.text'],
  [['labels', 'a'], '.labels["a"]'],
  [['set', 0], '.set'],
  [['pair', 'left', 0], '.pair.left[0]'],
  [['one', 'deep', 'text'], '.one.deep.text'],
  [['many', 1, 'text'], '.many[1].text'],
  [['named', 'a', 'text'], '.named["a"].text'],
  [['single', 'text'], '.single.text'],
  [['list', 0, 'labels', 'a'], '.list[0].labels["a"]'],
  [['bag', 0, 'text'], '.bag'],
])('a replacement at %j is sent as %s', (path, steps) => {
  expect(shown(attributePath(content, path).steps)).toBe(steps);
});

test('a path that is not in the schema throws an error', () => {
  expect(() => attributePath(content, ['none'])).toThrow(
    'a path leads to none, which the schema does not have',
  );
});

test.each<[Path, string]>([
  [[], ''],
  [['text'], '.text'],
  [['set', 0], '.set'],
  [['labels', 'a'], '.labels["a"]'],
  [['one', 'deep', 'text'], '.one["deep"]'],
  [['many', 1, 'text'], '.many[1]'],
  [['named', 'a', 'text'], '.named["a"]'],
  [['single', 'text'], '.single.text'],
  [['list', 0, 'labels', 'a'], '.list[0].labels["a"]'],
  [['list'], '.list'],
  [['bag', 0, 'text'], '.bag'],
])('a diagnostic at %j is shown at %s', (path, steps) => {
  expect(shown(visiblePath(content, path))).toBe(steps);
});

test('paths are written in the syntax of a configuration', () => {
  expect(pathText(['rules', 0, 'labels', 'a'])).toBe('rules[0].labels.a');
});
