import {
  Diagnostics,
  Dynamic,
  integer,
  map,
  mapNested,
  singleNested,
  string,
  bool,
  set,
  types,
  UNKNOWN,
} from '../../../src/plugin';
import { fitStrictValues } from '../../../src/plugin/server/strict-values';

const ATTRIBUTES = {
  other: string({ optional: true }),
  servers: mapNested(
    {
      address: string({ required: true }),
      retries: integer({ optional: true }),
      secure: bool({ optional: true }),
      tags: set(types.string, { optional: true }),
      login: singleNested({ parameters: map(types.string, { optional: true }) }, { optional: true }),
    },
    { optional: true, strict: true },
  ),
};

/**
 * Converts a value that Terraform sends without a type.
 *
 * @returns the value and its errors
 */
function fit(value: unknown) {
  const diagnostics = new Diagnostics();
  const servers = typeof value === 'object' && value !== null ? new Dynamic('dynamic', value) : value;
  const fitted = fitStrictValues(ATTRIBUTES, { other: 'as it is', servers }, diagnostics);
  return { fitted, problems: diagnostics.list.map(({ summary, detail }) => `${summary}: ${detail}`) };
}

const us = { address: 'https://us', retries: null, secure: null, tags: null, login: null };

test('missing values become null, and others are converted to the types of the schema', () => {
  const given = {
    address: 'https://us',
    retries: '3',
    secure: 'true',
    tags: ['a', 1],
    login: { parameters: { n: 2 } },
  };
  expect(fit({ us: { address: 'https://us' }, eu: given })).toEqual({
    fitted: {
      other: 'as it is',
      servers: {
        us,
        eu: {
          address: 'https://us',
          retries: 3,
          secure: true,
          tags: ['a', '1'],
          login: { parameters: { n: '2' } },
        },
      },
    },
    problems: [],
  });
});

test.each([[null], [UNKNOWN]])('the value %p is not changed', (value) => {
  expect(fit(value)).toEqual({ fitted: { other: 'as it is', servers: value }, problems: [] });
});

test('unknown parts of a value stay unchanged', () => {
  expect(fit({ us: { address: UNKNOWN, login: UNKNOWN }, eu: UNKNOWN }).fitted).toEqual({
    other: 'as it is',
    servers: { us: { ...us, address: UNKNOWN, login: UNKNOWN }, eu: UNKNOWN },
  });
});

test('a misspelt name is an error with the correct one, and an unknown name is an error', () => {
  expect(fit({ us: { address: 'https://us', retrys: 1, colour: 'red' } })).toEqual({
    fitted: undefined,
    problems: [
      'servers.us has no argument "retrys": Allowed: address, login, retries, secure, tags.\nTo do: write "retries".',
      'servers.us has no argument "colour": Allowed: address, login, retries, secure, tags.\nTo do: correct its name, or remove it.',
    ],
  });
});

test.each([
  [
    'a list in place of a map',
    ['https://us'],
    'servers is not valid: Received: a list, which is not shown.\nAllowed: a map.\nTo do: write { name = value }.',
  ],
  [
    'a text in place of an object',
    { us: 'https://us' },
    'servers.us is not valid: Received: a string, which is not shown.\nAllowed: an object.\nTo do: write { argument = value }.',
  ],
  [
    'a missing required argument',
    { us: {} },
    'servers.us.address is not set: To do: set it, since it is required.',
  ],
  [
    'a text in place of a number',
    { us: { address: 'a', retries: 'x' } },
    'servers.us.retries is not valid: Received: a string, which is not shown.\nAllowed: a number.\nTo do: write a number.',
  ],
  [
    'a text in place of a boolean',
    { us: { address: 'a', secure: 'on' } },
    'servers.us.secure is not valid: Received: a string, which is not shown.\nAllowed: true or false.\nTo do: write true or false.',
  ],
  [
    'a list in place of a string',
    { us: { address: ['a'] } },
    'servers.us.address is not valid: Received: a list, which is not shown.\nAllowed: a string.\nTo do: write "text".',
  ],
  [
    'a text in place of a list',
    { us: { address: 'a', tags: 'a' } },
    'servers.us.tags is not valid: Received: a string, which is not shown.\nAllowed: a list.\nTo do: write [value].',
  ],
])('an invalid value is an error: %s', (_, value, problem) => {
  expect(fit(value)).toEqual({ fitted: undefined, problems: [problem] });
});
