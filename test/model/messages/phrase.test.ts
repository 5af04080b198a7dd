import {
  cluster,
  code,
  command,
  either,
  field,
  file,
  joined,
  literal,
  literals,
  phrase,
  property,
  PYTHON,
  remove,
  renderPhrase,
  set,
  TERRAFORM,
  TYPESCRIPT,
  variable,
  type Phrase,
} from '../../../src/model/messages';

const inAll = (text: Phrase) =>
  [TERRAFORM, TYPESCRIPT, PYTHON].map((notation) => renderPhrase(text, notation));

test.each<[string, Phrase, terraform: string, typescript: string, python: string]>([
  ['text', 'set key_bits to true', 'set key_bits to true', 'set key_bits to true', 'set key_bits to true'],
  ['a field', field('token_label'), 'token_label', 'tokenLabel', 'token_label'],
  ['a field whose prop has another name', field('key_bits'), 'key_bits', 'keySpec', 'key_spec'],
  ['a field of a service', field('local_max_space'), 'local_max_space', 'maxSpace', 'max_space'],
  ['an assignment', field('everything', true), 'everything = true', 'everything: true', 'everything=True'],
  [
    'an assignment of code',
    property('resourceProvider', code('ResourceProvider.VAULTADMIN')),
    'resource_provider = ResourceProvider.VAULTADMIN',
    'resourceProvider: ResourceProvider.VAULTADMIN',
    'resource_provider=ResourceProvider.VAULTADMIN',
  ],
  [
    'an assignment of a text',
    property('confirmLockOut', literal('myHours')),
    'confirm_lock_out = "myHours"',
    'confirmLockOut: "myHours"',
    'confirm_lock_out="myHours"',
  ],
  ['a boolean', literal(false), 'false', 'false', 'False'],
  ['a value that is missing', literal(undefined), 'null', 'null', 'null'],
  ['values', literals(['keyBits', 2048]), '"keyBits", 2048', '"keyBits", 2048', '"keyBits", 2048'],
  [
    'code',
    code('VaultSecret.fromVariable("usToken")'),
    'VaultSecret.fromVariable("usToken")',
    'VaultSecret.fromVariable("usToken")',
    'VaultSecret.from_variable("usToken")',
  ],
  [
    'code with objects and constants',
    code("new PolicyStatement({...}).addTo(TRUE, true, 'aB \\'c')"),
    "new PolicyStatement({...}).addTo(TRUE, true, 'aB \\'c')",
    "new PolicyStatement({...}).addTo(TRUE, true, 'aB \\'c')",
    "PolicyStatement(...).add_to(TRUE, True, 'aB \\'c')",
  ],
  ['a cluster', cluster('usEast'), '"usEast"', '"usEast"', '"usEast"'],
  ['a variable', variable('TF_VAR_a'), 'TF_VAR_a', 'TF_VAR_a', 'TF_VAR_a'],
  ['a file', file('myFolder/a.tf'), 'myFolder/a.tf', 'myFolder/a.tf', 'myFolder/a.tf'],
  ['a command', command('terraform plan'), 'terraform plan', 'terraform plan', 'terraform plan'],
  ['an action', set('token_label'), 'set token_label', 'set tokenLabel', 'set token_label'],
  [
    'alternatives',
    either(set('allow_generate_key', false), remove('curve')),
    'set allow_generate_key to false, or remove curve',
    'set allowGenerateKey to false, or remove keySpec',
    'set allow_generate_key to False, or remove key_spec',
  ],
])('a phrase has its own spelling for each kind of reader: %s', (_title, text, ...expected) => {
  expect(inAll(text)).toEqual(expected);
});

test('the name of an object has the prop of its kind', () => {
  const names = ['acl_policy', 'managed_key', 'auto_snapshot', undefined].map((kind) =>
    renderPhrase(field('name'), TYPESCRIPT, kind),
  );
  expect(names).toEqual(['policyName', 'keyName', 'snapshotName', 'name']);
});

test('a template without references becomes a text', () => {
  expect(phrase`at least ${1} of ${'two'}`).toBe('at least 1 of two');
  expect(joined(['a', 2], ', ')).toBe('a, 2');
});

test('a template over two lines has a space between them', () => {
  const text = phrase`it is
    long\n${'\n  - as is'}`;
  expect(text).toBe('it is long\n\n  - as is');
});

test('a template keeps its references as data', () => {
  expect(phrase`${field('slot')} or ${phrase`${field('key_id')}s`}`).toEqual({
    kind: 'parts',
    parts: [
      { kind: 'field', name: 'slot' },
      ' or ',
      { kind: 'parts', parts: [{ kind: 'field', name: 'key_id' }, 's'] },
    ],
  });
});
