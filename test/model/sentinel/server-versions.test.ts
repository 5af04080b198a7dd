import { describeFinding, EGP_POLICY, sentinelKnownTo, validate } from '../../../src/model';
import { sentinelOf } from '../../../src/model/sentinel';

/** Returns the findings on a policy for a server's version, in one line each. */
function refusals(version: string, policy: string): readonly string[] {
  const definition = { ...EGP_POLICY, rules: [sentinelKnownTo(version)] };
  const values = { name: 'hours', policy, enforcement_level: 'advisory', paths: ['*'] };
  return validate(definition, values).map((finding) => describeFinding(EGP_POLICY, 'hours', finding).line);
}

test.each([
  ['1.11', { newest: '0.18.5', certain: '0.18.5', host: 'Vault 1.11' }],
  ['1.13.4+ent', { newest: '0.20', certain: '0.18.5', host: 'Vault 1.13' }],
  ['v1.16', { newest: '0.24.4', certain: '0.18.5', host: 'Vault 1.16' }],
  ['1.21.0+ent.hsm', { newest: '0.40', certain: '0.18.5', host: 'Vault 1.21' }],
  ['2.2.2', { newest: '0.41', certain: '0.18.5', host: 'Vault 2.2' }],
  ['1.30', { newest: '0.40', certain: '0.18.5', host: 'Vault 1.30' }],
  ['1.10.4', undefined],
  ['0.11', undefined],
  ['2', undefined],
  ['latest', undefined],
  ['', undefined],
])('sentinelOf returns the version of Sentinel in Vault %j', (version, expected) => {
  expect(sentinelOf(version)).toEqual(expected);
});

const DEFINED = '# by day\nmain = rule { request.data.x is defined }\n';

test('a policy may use the Sentinel of its server', () => {
  expect(refusals('1.13', DEFINED)).toEqual([
    'EGP policy "hours": policy is too new for the server: "is defined" requires Sentinel 0.21, and Vault 1.13 has 0.20 ' +
      'at most (line 2, column 15); received "main = rule { request.data.x is defined }"; correct it or, if your server ' +
      'supports more of Sentinel, add the line "# vault-admin: unchecked"',
  ]);
  expect(refusals('1.14', DEFINED)).toEqual([]);
  expect(refusals('1.13', `# vault-admin: unchecked\n${DEFINED}`)).toEqual([]);
  expect(refusals('dev', DEFINED)).toEqual([]);
  expect(refusals('1.13', 'main = rule {')).toEqual([]);
});

test.each([
  ['1.12', 'func f() {\n\treturn true\n}\nmain = f()\n', 'a named function requires Sentinel 0.20'],
  ['1.16', 'import "collection"\nmain = true\n', 'the import "collection" requires Sentinel 0.26'],
  [
    '1.17',
    'import "collection/maps" as m\nmain = m.omit({}, [])\n',
    'collection/maps.omit requires Sentinel 0.27',
  ],
  [
    '1.18',
    'import "collection/lists" as l\nmain = l.union([], [])\n',
    'collection/lists.union requires Sentinel 0.29',
  ],
  ['1.17', 'import "strings"\nmain = strings.trim("a", "a")\n', 'strings.trim requires Sentinel 0.27'],
  ['1.18', 'import "json"\nmain = json.valid("1")\n', 'json.valid requires Sentinel 0.30'],
])('a policy for Vault %s cannot use later Sentinel', (version, text, expected) => {
  const [refusal = ''] = refusals(version, text);
  expect(refusal).toContain(expected);
  const [major = 0, minor = 0] = version.split('.').map(Number);
  expect(refusals(`${major}.${minor + 5}`, text)).toEqual([]);
});
