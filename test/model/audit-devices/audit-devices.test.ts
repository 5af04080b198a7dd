import { AUDIT_DEVICE, decodeAuditDevice, encodeAuditDevice, validate } from '../../../src/model';

const rulesOf = (type: 'file' | 'socket', values: object) =>
  validate(AUDIT_DEVICE.backends[type].definition, { ...values }).map(({ rule }) => rule);

test.each([
  ['file', { path: 'file', file_path: '/a' }, []],
  ['file', { path: 'team/file', file_path: 'stdout', mode: '0640', format: 'jsonx' }, []],
  ['file', { path: 'file' }, ['file_path-required']],
  ['file', { path: 'file', file_path: ' ' }, ['file-path-not-empty']],
  ['file', { path: 'file/', file_path: '/a' }, ['path-fits']],
  ['file', { path: 'a//b', file_path: '/a' }, ['path-fits']],
  ['file', { path: 'file', file_path: '/a', mode: '0900' }, ['mode-octal']],
  ['file', { path: 'file', file_path: '/a', log_raw: true }, ['log-raw-shows-secrets']],
  ['file', { path: 'file', file_path: '/a', format: 'text' }, ['format-allowed']],
  ['file', { path: 'file', file_path: '/a', exclude: '[{"fields":["/request/data"]}]' }, []],
  ['file', { path: 'file', file_path: '/a', exclude: '{"fields":[]}' }, ['exclude-json']],
  ['file', { path: 'file', file_path: '/a', exclude: 'request' }, ['exclude-json']],
  ['socket', { path: 's', address: ':9090', socket_type: 'udp' }, []],
  ['socket', { path: 's', address: '' }, ['address-not-empty']],
  ['socket', { path: 's', address: ':1', socket_type: 'sctp' }, ['socket_type-allowed']],
] as const)('a device of type %s with %j breaks the rules %j', (type, values, expected) => {
  expect(rulesOf(type, values)).toEqual(expected);
});

test('options are sent as texts, and read back typed', () => {
  const values = { type: 'file', description: 'd', local: true, file_path: '/a', hmac_accessor: false };
  expect(encodeAuditDevice({ ...values, mode: null, tag: 'not of this type' })).toEqual({
    type: 'file',
    description: 'd',
    local: true,
    options: { file_path: '/a', hmac_accessor: 'false' },
  });
  const listed = { path: 'file/', type: 'file', description: 'd', local: true, accessor: 'x' };
  const options = { file_path: '/a', hmac_accessor: 'false', log_raw: 'T', skip_test: 'true' };
  expect(decodeAuditDevice({ ...listed, options })).toEqual({ ...values, log_raw: true });
  expect(decodeAuditDevice({ type: 'other', options: null })).toEqual({ type: 'other' });
});
