import { logLine } from '../../../src/plugin/wire/log';
import { Redactor } from '../../../src/text';

const TIME = new Date('2026-01-02T03:04:05.678Z');

function line(message: string, fields: Record<string, unknown>, ...known: string[]): Record<string, unknown> {
  const secrets = new Redactor();
  for (const secret of known) secrets.add(secret);
  return JSON.parse(logLine('warn', message, fields, secrets, TIME)) as Record<string, unknown>;
}

test('is what Terraform takes for a log line', () => {
  expect(line('hello', { count: 1, big: 2n ** 60n, left_out: undefined })).toEqual({
    '@level': 'warn',
    '@message': 'hello',
    '@module': 'provider',
    '@timestamp': '2026-01-02T03:04:05.678000Z',
    count: 1,
    big: '1152921504606846976',
  });
});

test('masks secrets in the message, in fields and in errors', () => {
  const masked = line(
    'got s3cret',
    { deep: { list: ['is s3cret', 's3cret"quoted'] }, error: new Error('not s3cret') },
    's3cret',
    's3cret"quoted',
  );
  expect(JSON.stringify(masked)).not.toContain('s3cret');
  expect(masked['@message']).toBe('got (hidden)');
  expect(masked.deep).toEqual({ list: ['is (hidden)', '(hidden)'] });
  expect(masked.error).toMatch(/^Error: not \(hidden\)\n {4}at /);
});

test('masks a secret that holds another one as a whole, and nothing that is too short', () => {
  const secrets = new Redactor();
  for (const secret of ['abc', 'abcdef', '', 'a']) secrets.add(secret);
  expect(secrets.hide('abcdef, abc and a')).toBe('(hidden), (hidden) and a');
});

test('masks a secret within JSON', () => {
  const secrets = new Redactor();
  const key = '-----BEGIN KEY-----\n"x"\n';
  secrets.add(key);
  expect(secrets.hide(`sent ${JSON.stringify({ key })}`)).toBe('sent {"key":"(hidden)"}');
});
