import { lintAclPolicy, type LintOptions } from '../../../../src/model';

function found(path: string, constraints: string, options?: LintOptions): readonly string[] {
  const text = `path "${path}" { capabilities = ["update"] ${constraints} }\n`;
  return lintAclPolicy(text, options).map(({ id, severity, cure }) => `${severity} ${id}: ${cure}`);
}

const transit: LintOptions = { mounts: new Map([['team/keys', 'transit']]) };
const kv1: LintOptions = { mounts: new Map([['secret', 'kv-1']]) };
const UNKNOWN =
  'note unknown-parameter: write parameters of the endpoint, or make sure that the server knows them';

test.each<[string, string, string, string, LintOptions?]>([
  [
    'a misspelt parameter',
    'auth/token/create',
    'denied_parameters = { "polices" = ["root"] }',
    'warning unknown-parameter: write "policies"',
  ],
  [
    'a misspelt required parameter',
    'sys/mounts/kv',
    'required_parameters = ["descripton"]',
    'warning unknown-parameter: write "description"',
  ],
  ['a parameter of another endpoint', 'auth/token/create', 'allowed_parameters = { "csr" = [] }', UNKNOWN],
  [
    'a parameter of an engine whose mount is known',
    'team/keys/encrypt/app',
    'allowed_parameters = { "plain_text" = [] }',
    'warning unknown-parameter: write "plaintext"',
    transit,
  ],
  [
    'a parameter beside the data of KV version 2',
    'secret/data/app',
    'allowed_parameters = { "password" = [] }',
    'error kv2-flat-parameter: constrain "data" as a whole: the server does not compare what is in it by name',
  ],
  [
    'a name with a "*" in it',
    'app/config',
    'denied_parameters = { "token_*" = [] }',
    'warning literal-parameter: write each name, or "*" alone for all other parameters',
  ],
  [
    'a required "*"',
    'app/config',
    'required_parameters = ["*"]',
    'warning literal-parameter: write the names of the required parameters',
  ],
  [
    'a number',
    'app/config',
    'allowed_parameters = { "size" = ["1", 2048] }',
    'error unequal-value: write "2048", which a request has to send as a text',
  ],
  [
    'a required name in upper case',
    'app/config',
    'required_parameters = ["Owner"]',
    'warning required-upper-case: write "owner", and send it like this',
  ],
  [
    'names of policies in upper case',
    'auth/token/create',
    'denied_parameters = { "policies" = ["admin", "Ops"] }',
    'warning unequal-value: write names of policies in lower case, here and in requests',
  ],
])('lint reports %s', (_what, path, constraints, expected, ...[options]) => {
  expect(found(path, constraints, options)).toEqual([expected]);
});

test.each<[string, string, string, LintOptions?]>([
  [
    'parameters that the endpoint has',
    'auth/token/create',
    'allowed_parameters = { "policies" = [], "ttl" = ["1h"] }',
  ],
  [
    'names in upper case, which the server writes in lower case',
    'auth/token/create',
    'allowed_parameters = { "TTL" = [] }',
  ],
  ['names of policies in lower case', 'auth/token/create', 'allowed_parameters = { "policies" = ["ops"] }'],
  ['a "*" for all others', 'sys/mounts/+', 'allowed_parameters = { "*" = [], "type" = ["kv"] }'],
  ['the data of KV version 2', 'secret/data/app', 'required_parameters = ["data"]'],
  ['parameters of KV version 1', 'secret/data/app', 'allowed_parameters = { "password" = [] }', kv1],
  ['parameters of a mount of unknown kind', 'team/encrypt/app', 'allowed_parameters = { "plain_text" = [] }'],
  ['parameters that a plugin may have', 'database/config/app', 'allowed_parameters = { "hosts" = [] }'],
  [
    'a wrapped response, whose data may be anything',
    'sys/wrapping/wrap',
    'allowed_parameters = { "password" = [] }',
  ],
  [
    'a pattern of which one endpoint has the parameter',
    'auth/token/*',
    'allowed_parameters = { "accessor" = [] }',
  ],
  ['texts and booleans', 'app/config', 'allowed_parameters = { "size" = ["2048", true] }'],
  ['a name that Terraform completes', 'auth/token/create', 'allowed_parameters = { "${var.name}" = [] }'],
])('lint does not report %s', (_what, path, constraints, ...[options]) => {
  expect(found(path, constraints, options)).toEqual([]);
});

test('lint reports a parameter that a rule for reads of KV version 2 requires', () => {
  const rule = (...capabilities: readonly string[]) =>
    `path "secret/data/app" {\n  capabilities = ${JSON.stringify(capabilities)}\n  required_parameters = ["data"]\n}\n`;
  const findings = (text: string) => lintAclPolicy(text).map(({ id, problem }) => `${id}: ${problem}`);
  expect(findings(rule('read'))).toEqual([
    'kv2-flat-parameter: a request that reads a secret has no parameter "data", so that all are refused',
  ]);
  expect(findings(rule('read', 'update'))).toEqual([]);
});

test('lint reports constraints beside capabilities that they do not apply to', () => {
  const ids = (capability: string) =>
    lintAclPolicy(`path "app/x" { capabilities = ["${capability}"] required_parameters = ["owner"] }\n`).map(
      ({ id }) => id,
    );
  expect(ids('delete')).toEqual(['unused-constraints']);
  expect(ids('list')).toEqual(['unused-constraints']);
  expect(ids('read')).toEqual([]);
  expect(ids('deny')).toEqual([]);
});
