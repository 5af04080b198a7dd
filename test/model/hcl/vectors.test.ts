import {
  decodeAny,
  HclError,
  parseHcl,
  textOf,
  type HclItem,
  type HclValueNode,
} from '../../../src/model/hcl';
import { readVectors } from '../support/vectors';

/** The result of HashiCorp's HCL 1 parser (v1.0.1-vault-7) for a text: its items, or its error. */
interface Vector {
  readonly text: string;
  readonly items?: unknown;
  readonly error?: string;
}

const vectors = readVectors<Vector>('hcl/vectors.json');

describe('HCL 1, compared with its reference parser', () => {
  test.each(vectors.filter(({ items }) => items))('reads $text', ({ text, items }) => {
    expect(dumpItems(parseHcl(text).root.items)).toEqual(items);
  });

  test.each(vectors.filter(({ error }) => error))('refuses $text', ({ text, error }) => {
    expect(() => parseHcl(text)).toThrow(new HclError(error ?? ''));
  });
});

function dumpItems(items: readonly HclItem[]): unknown {
  return items.map(({ keys, assignLine, value }) => ({
    keys: keys.map(textOf),
    line: assignLine,
    value: dumpValue(value),
  }));
}

function dumpValue(value: HclValueNode): unknown {
  switch (value.type) {
    case 'object':
      return { object: dumpItems(value.items) };
    case 'list':
      return { list: value.elements.map(dumpValue) };
    case 'literal':
      return { literal: decodeAny('value', value, true) };
  }
}
