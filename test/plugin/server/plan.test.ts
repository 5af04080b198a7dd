import {
  integer,
  listNested,
  requiresReplaceIf,
  setNested,
  singleBlock,
  singleNested,
  string,
  UNKNOWN,
  useStateForUnknown,
  type Attributes,
} from '../../../src/plugin';
import { planBySchema } from '../../../src/plugin/server/plan';
import { readForm } from '../../../src/plugin/server/same-meaning';
import type { Counterparts } from '../../../src/plugin/server/map-plan';

function plan(
  attributes: Attributes,
  { proposal, config = proposal, state = null }: Record<string, unknown>,
) {
  return planBySchema(
    { attributes, blocks: {} },
    {
      plan: proposal as Record<string, unknown>,
      config: config as Record<string, unknown>,
      state: state as Record<string, unknown> | null,
    },
  );
}

test('computed values are unknown during a creation, unless they are configured', () => {
  const attributes = {
    id: string({ computed: true, planModifiers: [useStateForUnknown()] }),
    chosen: string({ optional: true, computed: true }),
    given: string({ optional: true, computed: true }),
  };
  const proposal = { id: null, chosen: null, given: 'x' };
  expect(plan(attributes, { proposal }).plan).toEqual({ id: UNKNOWN, chosen: UNKNOWN, given: 'x' });
});

test('a plan without changes has no unknown values', () => {
  const attributes = { id: string({ computed: true }), text: string({ optional: true }) };
  const state = { id: '1', text: 'x' };
  expect(plan(attributes, { proposal: state, config: { id: null, text: 'x' }, state }).plan).toBe(state);
});

test('an update keeps attributes with useStateForUnknown, and other computed attributes become unknown', () => {
  const attributes = {
    id: string({ computed: true, planModifiers: [useStateForUnknown()] }),
    revision: integer({ computed: true }),
    text: string({ optional: true }),
  };
  const state = { id: '1', revision: 1, text: 'old' };
  const proposal = { ...state, text: 'new' };
  const config = { id: null, revision: null, text: 'new' };
  expect(plan(attributes, { proposal, config, state }).plan).toEqual({
    id: '1',
    revision: UNKNOWN,
    text: 'new',
  });
});

test('elements of lists are matched by position, and new ones have no state', () => {
  const attributes = {
    rules: listNested(
      {
        path: string({ required: true }),
        rank: integer({ computed: true, planModifiers: [useStateForUnknown()] }),
      },
      { optional: true },
    ),
  };
  const state = { rules: [{ path: '/a', rank: 1 }] };
  const config = {
    rules: [
      { path: '/A', rank: null },
      { path: '/b', rank: null },
    ],
  };
  const proposal = {
    rules: [
      { path: '/A', rank: 1 },
      { path: '/b', rank: null },
    ],
  };
  expect(plan(attributes, { proposal, config, state }).plan).toEqual({
    rules: [
      { path: '/A', rank: 1 },
      { path: '/b', rank: UNKNOWN },
    ],
  });
});

test('elements of sets are matched by their configuration', () => {
  const attributes = {
    parts: setNested(
      {
        name: string({ required: true }),
        weight: integer({ optional: true, default: 1 }),
        serial: string({ computed: true }),
      },
      { optional: true },
    ),
  };
  const config = {
    parts: [
      { name: 'b', weight: null, serial: null },
      { name: 'a', weight: 5, serial: null },
    ],
  };
  const proposal = { parts: [...config.parts].reverse() };
  expect(plan(attributes, { proposal, config }).plan).toEqual({
    parts: [
      { name: 'a', weight: 5, serial: UNKNOWN },
      { name: 'b', weight: 1, serial: UNKNOWN },
    ],
  });
});

test('elements of sets may be deeply nested', () => {
  const attributes = {
    parts: setNested(
      {
        name: string({ required: true }),
        inner: listNested(
          { path: string({ required: true }), rank: integer({ computed: true }) },
          { optional: true },
        ),
      },
      { optional: true },
    ),
  };
  const part = (name: string, rank: unknown) => ({ name, inner: [{ path: `/${name}`, rank }] });
  const config = { parts: [part('a', null), part('b', null)] };
  const proposal = { parts: [part('b', 2), part('a', null)] };
  expect(plan(attributes, { proposal, config, state: { parts: [part('b', 2)] } }).plan).toEqual({
    parts: [part('b', UNKNOWN), part('a', UNKNOWN)],
  });
});

test('the attributes of a computed object are not planned separately', () => {
  const attributes = {
    settings: singleNested(
      { mode: string({ optional: true, default: 'fast' }) },
      { optional: true, computed: true, planModifiers: [useStateForUnknown()] },
    ),
    text: string({ optional: true }),
  };
  const state = { settings: { mode: 'slow' }, text: 'old' };
  const proposal = { settings: { mode: 'slow' }, text: 'new' };
  const config = { settings: null, text: 'new' };
  expect(plan(attributes, { proposal, config, state }).plan).toEqual(proposal);
});

test('write-only values are not planned', () => {
  const attributes = { password: string({ optional: true, writeOnly: true }) };
  expect(plan(attributes, { proposal: { password: 'secret' } }).plan).toEqual({ password: null });
});

test('a condition determines whether a change requires a replacement', () => {
  const shrinks = requiresReplaceIf(({ state, plan }) => (plan as number) < (state as number));
  const attributes = { size: integer({ required: true, planModifiers: [shrinks] }) };
  const replacements = (from: number | null, to: number) =>
    plan(attributes, { proposal: { size: to }, state: from && { size: from } }).replacements;
  expect(replacements(2, 1)).toEqual([['size']]);
  expect(replacements(1, 2)).toEqual([]);
  expect(replacements(2, 2)).toEqual([]);
  expect(replacements(null, 1)).toEqual([]);
});

describe('a single block', () => {
  const block = singleBlock({
    attributes: {
      mode: string({ optional: true, default: 'fast' }),
      token: string({ computed: true }),
      password: string({ optional: true, writeOnly: true }),
    },
  });
  const planOf = (values: Record<string, unknown>) =>
    planBySchema({ attributes: {}, blocks: { settings: block } }, { state: null, ...values } as Counterparts);

  test('a block has defaults, unknown values and write-only values like a resource', () => {
    const settings = { mode: null, token: null, password: 'secret' };
    expect(planOf({ plan: { settings }, config: { settings } }).plan).toEqual({
      settings: { mode: 'fast', token: UNKNOWN, password: null },
    });
  });

  test('a missing or unknown block stays missing or unknown', () => {
    for (const settings of [null, UNKNOWN]) {
      expect(planOf({ plan: { settings }, config: { settings } }).plan).toEqual({ settings });
    }
  });
});

describe('values with the same meaning', () => {
  const fold = (text: unknown) => (typeof text === 'string' ? text.toLowerCase() : '');
  const sameMeaning = (one: unknown, other: unknown) => fold(one) === fold(other);
  const attributes = {
    id: string({ computed: true }),
    text: string({ optional: true, sameMeaning }),
    level: string({ optional: true, default: 'low', sameMeaning }),
    inner: singleNested({ text: string({ optional: true, sameMeaning }) }, { optional: true }),
  };
  const state = { id: '1', text: 'Old', level: 'Low', inner: { text: 'In' } };

  test('a configured value with the same meaning as the state does not change the plan', () => {
    const config = { id: null, text: 'OLD', level: 'LOW', inner: { text: 'IN' } };
    expect(plan(attributes, { proposal: { ...config, id: '1' }, config, state }).plan).toEqual(state);
  });

  test('missing values are not compared', () => {
    const config = { id: null, text: null, level: UNKNOWN, inner: { text: 'other' } };
    expect(plan(attributes, { proposal: { ...config, id: '1' }, config, state }).plan).toEqual({
      ...config,
      id: UNKNOWN,
    });
  });

  test('a read value with the same meaning as the state keeps the form of the state', () => {
    const content = { attributes, blocks: { block: singleBlock({ attributes: { text: attributes.text } }) } };
    const prior = { ...state, block: { text: null } };
    const read = { id: '1', text: 'OLD', level: 'high', inner: { text: 'in' }, block: { text: '' } };
    expect(readForm(content, read, prior)).toEqual({ ...prior, level: 'high' });
  });

  test('read values are kept after an import, including defaults', () => {
    const nothing = { id: '1', text: null, level: null, inner: null };
    const read = { id: '1', text: 'x', level: '', inner: { text: 'y' } };
    const content = { attributes, blocks: {} };
    expect(readForm(content, read, nothing)).toEqual(read);
    expect(readForm(content, { ...read, inner: { text: '' } }, nothing)).toEqual({
      ...read,
      inner: { text: null },
    });
  });
});
