import { type Field, type FieldType, type Finding, type ObjectDefinition } from '../../../src/model';
import { validate } from '../support/in-words';

const definition: ObjectDefinition = {
  name: 'thing',
  title: 'thing',
  path: 'sys/things',
  edition: 'community',
  restricted: false,
  doc: 'A thing.',
  section: '0',
  fields: {
    name: { type: 'string', required: true, doc: 'Name.', section: '0' },
    level: { type: 'string', allowed: ['low', 'high'], doc: 'Level.', section: '0' },
    pin: { type: 'string', allowed: ['1', '2'], sensitive: true, doc: 'PIN.', section: '0' },
  },
  rules: [
    {
      id: 'name-is-not-level',
      section: '0',
      reads: ['name', 'level'],
      check: ({ name, level }) => (name === level ? [sameName] : []),
    },
  ],
};

const sameName: Finding = {
  severity: 'error',
  rule: 'name-is-not-level',
  field: 'name',
  problem: 'must not be the level',
  cure: 'write another name',
};

test('values that fit have no findings', () => {
  expect(validate(definition, { name: 'a', level: 'low', pin: '1' })).toEqual([]);
  expect(validate(definition, { name: 'a', level: null, pin: undefined })).toEqual([]);
});

test.each([[undefined], [null]])('a required field that is %s', (name) => {
  expect(validate(definition, { name })).toEqual([
    { severity: 'error', rule: 'name-required', field: 'name', problem: 'is required', cure: 'set name' },
  ]);
});

test('a value that is not allowed', () => {
  expect(validate(definition, { name: 'a', level: 'mid' })).toEqual([
    {
      severity: 'error',
      rule: 'level-allowed',
      field: 'level',
      problem: 'must be one of the allowed values',
      received: '"mid"',
      allowed: '"low", "high"',
      cure: 'use one of the allowed values',
    },
  ]);
});

test('the empty text leaves out a choice that is not required', () => {
  expect(validate(definition, { name: 'a', level: '' })).toEqual([]);
  const { level } = definition.fields;
  const required = { ...definition, fields: { level: { ...level!, required: true } }, rules: [] };
  expect(validate(required, { level: '' }).map(({ rule }) => rule)).toEqual(['level-allowed']);
});

describe('values allowed', () => {
  const findings = (field: Partial<Field>, value: unknown) =>
    validate(
      {
        ...definition,
        fields: { value: { type: 'string', doc: 'Value.', section: '0', ...field } },
        rules: [],
      },
      { value },
    ).map(({ rule, received, allowed }) => [rule, received, allowed]);

  test('numbers', () => {
    expect(findings({ type: 'integer', allowed: [1, 2] }, 2)).toEqual([]);
    expect(findings({ type: 'integer', allowed: [1, 2] }, 3)).toEqual([['value-allowed', '3', '1, 2']]);
  });

  test('in any case, where that does not matter', () => {
    expect(findings({ allowed: ['RSA'], ignoreCase: true }, 'rsa')).toEqual([]);
    expect(findings({ allowed: ['RSA'] }, 'rsa')).toEqual([['value-allowed', '"rsa"', '"RSA"']]);
  });

  test('the default, whatever it is', () => {
    expect(findings({ allowed: ['P256'], default: '' }, '')).toEqual([]);
    expect(findings({ allowed: ['P256'], default: 'P256', required: true }, '')).toEqual([
      ['value-allowed', '""', '"P256"'],
    ]);
  });
});

test('a secret is never shown', () => {
  const [finding] = validate(definition, { name: 'a', pin: 'canary' });
  expect(finding?.rule).toBe('pin-allowed');
  expect(JSON.stringify(finding)).not.toContain('canary');
});

test('rules speak when all they read is known', () => {
  expect(validate(definition, { name: 'low', level: 'low' })).toEqual([sameName]);
  expect(validate(definition, { name: 'low', level: 'low' }, new Set(['level']))).toEqual([]);
  expect(validate(definition, {}, new Set(['name']))).toEqual([]);
});

test('rules are silent on fields that are faulty in themselves', () => {
  expect(validate(definition, { name: 'mid', level: 'mid' }).map(({ rule }) => rule)).toEqual([
    'level-allowed',
  ]);
});

describe('types', () => {
  test.each<[FieldType, unknown, unknown, string]>([
    ['string', '', 5, 'text'],
    ['integer', 5, 1.5, 'a whole number'],
    ['boolean', false, 'false', 'true or false'],
    ['duration', 60, 1.5, 'a number of seconds or a duration such as "24h"'],
    ['duration', '24h', true, 'a number of seconds or a duration such as "24h"'],
    ['string_set', ['a'], [1], 'a list of strings'],
    ['string_set', 'a,b', {}, 'a list of strings'],
  ])('%s takes %j, not %j', (type, good, bad, name) => {
    const typed = { ...definition, fields: { value: { type, doc: 'Value.', section: '0' } }, rules: [] };
    expect(validate(typed, { value: good })).toEqual([]);
    expect(validate(typed, { value: bad })).toEqual([
      {
        severity: 'error',
        rule: 'value-type',
        field: 'value',
        problem: `must be ${name}`,
        cure: `write ${name}`,
      },
    ]);
  });
});
