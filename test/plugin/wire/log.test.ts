import { logLine } from '../../../src/plugin/wire/log';
import { Redactor } from '../../../src/text';

const TIME = new Date('2026-01-02T03:04:05.678Z');

function line(message: string, fields: Record<string, unknown>, ...known: string[]): Record<string, unknown> {
  const secrets = new Redactor();
  for (const secret of known) secrets.add(secret);
  return JSON.parse(logLine('warn', message, fields, secrets, TIME)) as Record<string, unknown>;
}

test('a line has the form that Terraform reads', () => {
  expect(line('hello', { count: 1, big: 2n ** 60n, left_out: undefined })).toEqual({
    '@level': 'warn',
    '@message': 'hello',
    '@module': 'provider',
    '@timestamp': '2026-01-02T03:04:05.678000Z',
    count: 1,
    big: '1152921504606846976',
  });
});

test('secrets in the message, in fields and in errors are masked', () => {
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

test('a secret that contains another one is masked as a whole, and secrets that are too short are not masked', () => {
  const secrets = new Redactor();
  for (const secret of ['abc', 'abcdef', '', 'a']) secrets.add(secret);
  expect(secrets.hide('abcdef, abc and a')).toBe('(hidden), (hidden) and a');
});

test('a secret within JSON is masked', () => {
  const secrets = new Redactor();
  const key = '-----BEGIN KEY-----\n"x"\n';
  secrets.add(key);
  expect(secrets.hide(`sent ${JSON.stringify({ key })}`)).toBe('sent {"key":"(hidden)\\n"}');
});

test('a secret that is a number is masked, and other numbers are not', () => {
  const masked = line('PINs', { pin: 1234567, pins: [1234567n], of: 12345 }, '1234567');
  expect(masked).toMatchObject({ pin: '(hidden)', pins: ['(hidden)'], of: 12345 });
});

test('control characters in the message, in fields, their names and errors are shown as escapes', () => {
  const poison = '\u001b[2J\u202e';
  const fields = { [poison]: 1, deep: [{ [poison]: poison }], error: new Error(poison) };
  const text = logLine('warn', poison, fields, new Redactor(), TIME);
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const shown = '\\u001b[2J\\u202e';
  expect(JSON.parse(text)).toMatchObject({ '@message': shown, [shown]: 1, deep: [{ [shown]: shown }] });
});

test('secrets in the names of fields are masked, except in the field names of Terraform', () => {
  const masked = line('m', { level: 1, deep: { 'a level': 1 } }, 'level');
  expect(masked).toMatchObject({ '@level': 'warn', '(hidden)': 1, deep: { 'a (hidden)': 1 } });
});
