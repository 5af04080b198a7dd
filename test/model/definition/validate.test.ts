import { type Field, type FieldType, type Finding, type ObjectDefinition } from '../../../src/model';
import { validate } from '../support/in-words';

const definition: ObjectDefinition = {
  name: 'thing',
  title: 'thing',
  path: 'sys/things',
  edition: 'community',
  restricted: false,
  doc: 'A thing.',
  fields: {
    name: { type: 'string', required: true, doc: 'Name.' },
    level: { type: 'string', allowed: ['low', 'high'], doc: 'Level.' },
    pin: { type: 'string', allowed: ['1', '2'], sensitive: true, doc: 'PIN.' },
  },
  rules: [
    {
      id: 'name-is-not-level',
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

test('validate has no findings on valid values', () => {
  expect(validate(definition, { name: 'a', level: 'low', pin: '1' })).toEqual([]);
  expect(validate(definition, { name: 'a', level: null, pin: undefined })).toEqual([]);
});

test.each([[undefined], [null]])('validate reports a required field that is %s', (name) => {
  expect(validate(definition, { name })).toEqual([
    { severity: 'error', rule: 'name-required', field: 'name', problem: 'is required', cure: 'set name' },
  ]);
});

test('validate reports a value that is not allowed', () => {
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

test('validate accepts the empty text for an optional choice', () => {
  expect(validate(definition, { name: 'a', level: '' })).toEqual([]);
  const { level } = definition.fields;
  const required = { ...definition, fields: { level: { ...level!, required: true } }, rules: [] };
  expect(validate(required, { level: '' }).map(({ rule }) => rule)).toEqual(['level-allowed']);
});

describe('the allowed values', () => {
  const findings = (field: Partial<Field>, value: unknown) =>
    validate(
      {
        ...definition,
        fields: { value: { type: 'string', doc: 'Value.', ...field } },
        rules: [],
      },
      { value },
    ).map(({ rule, received, allowed }) => [rule, received, allowed]);

  test('the allowed values include the numbers of a field', () => {
    expect(findings({ type: 'integer', allowed: [1, 2] }, 2)).toEqual([]);
    expect(findings({ type: 'integer', allowed: [1, 2] }, 3)).toEqual([['value-allowed', '3', '1, 2']]);
  });

  test('the allowed values match in any case if the field ignores case', () => {
    expect(findings({ allowed: ['RSA'], ignoreCase: true }, 'rsa')).toEqual([]);
    expect(findings({ allowed: ['RSA'] }, 'rsa')).toEqual([['value-allowed', '"rsa"', '"RSA"']]);
  });

  test('the allowed values always include the default', () => {
    expect(findings({ allowed: ['P256'], default: '' }, '')).toEqual([]);
    expect(findings({ allowed: ['P256'], default: 'P256', required: true }, '')).toEqual([
      ['value-allowed', '""', '"P256"'],
    ]);
  });
});

test('validate never shows a secret', () => {
  const [finding] = validate(definition, { name: 'a', pin: 'canary' });
  expect(finding?.rule).toBe('pin-allowed');
  expect(JSON.stringify(finding)).not.toContain('canary');
});

test('a rule is checked only when all values that it reads are known', () => {
  expect(validate(definition, { name: 'low', level: 'low' })).toEqual([sameName]);
  expect(validate(definition, { name: 'low', level: 'low' }, new Set(['level']))).toEqual([]);
  expect(validate(definition, {}, new Set(['name']))).toEqual([]);
});

test('a rule is not checked for fields with findings of their own', () => {
  expect(validate(definition, { name: 'mid', level: 'mid' }).map(({ rule }) => rule)).toEqual([
    'level-allowed',
  ]);
});

describe('the value of a field', () => {
  test.each<[FieldType, unknown, unknown, string]>([
    ['string', '', 5, 'text'],
    ['integer', 5, 1.5, 'a whole number'],
    ['boolean', false, 'false', 'true or false'],
    ['duration', 60, 1.5, 'a number of seconds or a duration such as "24h"'],
    ['duration', '24h', true, 'a number of seconds or a duration such as "24h"'],
    ['string_set', ['a'], [1], 'a list of strings'],
    ['string_set', 'a,b', {}, 'a list of strings'],
  ])('the value of type %s may be %j, but not %j', (type, good, bad, name) => {
    const typed = { ...definition, fields: { value: { type, doc: 'Value.' } }, rules: [] };
    expect(validate(typed, { value: good })).toEqual([]);
    expect(validate(typed, { value: bad })).toEqual([
      {
        severity: 'error',
        rule: 'value-type',
        field: 'value',
        problem: `must be ${name}`,
        cure: `write ${name}`,
        ...(typeof bad !== 'object' && { received: JSON.stringify(bad) }),
      },
    ]);
  });

  test('a value of the wrong type is not shown if the field is sensitive', () => {
    const typed = {
      ...definition,
      fields: { value: { type: 'string', doc: '', sensitive: true } },
      rules: [],
    };
    expect(validate(typed as never, { value: 4711 })).toEqual([
      expect.not.objectContaining({ received: expect.anything() }),
    ]);
  });
});
