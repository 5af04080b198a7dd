import { isThisMachine } from '../../../src/model/clusters';

test.each(['localhost', '127.0.0.1', '127.255.0.9', '::1', '[::1]', '::ffff:7f00:1', '[::ffff:7f12:304]'])(
  'the host %s is this machine',
  (host) => {
    expect(isThisMachine(host)).toBe(true);
  },
);

test.each([
  '',
  'local',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  '127.evil.example',
  '128.0.0.1',
  '0.0.0.0',
  '::',
  '[::1',
  '::11',
  '::ffff:a00:1',
  'vault.example.com',
])('the host "%s" may be another machine', (host) => {
  expect(isThisMachine(host)).toBe(false);
});

test('the host of a parsed URL has the expected form', () => {
  const hosts = ['http://LOCALHOST', 'http://[0:0::1]:8200', 'http://[::ffff:127.0.0.1]', 'http://127.1'];
  expect(hosts.map((url) => isThisMachine(new URL(url).hostname))).toEqual([true, true, true, true]);
});
