import { ACL_POLICY, describeFinding, objectTitle, stringSet, type Finding } from '../../../src/model';
import { field, literal, phrase, PYTHON, TERRAFORM, TYPESCRIPT } from '../../../src/model/messages';

const finding: Finding = {
  severity: 'error',
  rule: 'name-lower-case',
  field: 'name',
  problem: 'must be lower case',
  received: '"Ops"',
  allowed: 'lower-case letters',
  cure: 'write "ops"',
};

test('a finding names the object, the field, the value, the allowed values, and the correction', () => {
  expect(describeFinding(ACL_POLICY, 'Ops', finding)).toEqual({
    summary: 'ACL policy "Ops": name must be lower case',
    detail: 'Received: "Ops".\nAllowed: lower-case letters.\nTo do: write "ops".',
    line: 'ACL policy "Ops": name must be lower case; received "Ops"; allowed: lower-case letters; write "ops"',
  });
});

test('a finding uses the field names of the configuration language', () => {
  const named = { ...finding, problem: phrase`conflicts with ${field('key_bits')}`, received: literal(true) };
  const lines = [TERRAFORM, TYPESCRIPT, PYTHON].map(
    (notation) => describeFinding(ACL_POLICY, 'key_bits', named, notation).line,
  );
  expect(lines).toEqual([
    'ACL policy "key_bits": name conflicts with key_bits; received true; allowed: lower-case letters; write "ops"',
    'ACL policy "key_bits": policyName conflicts with keySpec; received true; allowed: lower-case letters; write "ops"',
    'ACL policy "key_bits": policy_name conflicts with key_spec; received True; allowed: lower-case letters; write "ops"',
  ]);
});

test('a finding on a text has the position in the text', () => {
  const { summary } = describeFinding(ACL_POLICY, 'ops', { ...finding, position: { line: 3, column: 7 } });
  expect(summary).toBe('ACL policy "ops": name must be lower case (line 3, column 7)');
});

test('a finding without facts has a short text', () => {
  const bare: Finding = {
    severity: 'error',
    rule: 'r',
    field: 'name',
    problem: 'is required',
    cure: 'set name',
  };
  expect(describeFinding(ACL_POLICY, undefined, bare)).toEqual({
    summary: 'ACL policy: name is required',
    detail: 'To do: set name.',
    line: 'ACL policy: name is required; set name',
  });
});

test('the name of an object has its title', () => {
  expect(objectTitle(ACL_POLICY, 'ops')).toBe('ACL policy "ops"');
  expect(objectTitle(ACL_POLICY, undefined)).toBe('ACL policy');
});

test.each([
  [
    ['a', 'b'],
    ['a', 'b'],
  ],
  ['a,b', ['a', 'b']],
  [' a , b ', ['a', 'b']],
  ['', []],
  [[], []],
  [[1], undefined],
  [5, undefined],
  [undefined, undefined],
])('stringSet reads the value %j as %j', (value, set) => {
  expect(stringSet(value)).toEqual(set);
});
