import { parseSecretIdMetadata } from '../../../../src/emulator/auth/approle/secret-id-metadata';

it.each([
  ['', {}],
  ['{"team":"ops","env":"eu"}', { team: 'ops', env: 'eu' }],
  [Buffer.from('{"team":"ops"}').toString('base64'), { team: 'ops' }],
  ['team=ops, env=eu', { team: 'ops', env: 'eu' }],
])('the metadata %j is stored as %j', (text, expected) =>
  expect(parseSecretIdMetadata(text)).toEqual(expected),
);

it.each(['team', 'team=', '=ops', 'a=b=c', '{"a":1}'])('the metadata %j is refused', (text) =>
  expect(() => parseSecretIdMetadata(text)).toThrow('failed to parse metadata: invalid format'),
);
