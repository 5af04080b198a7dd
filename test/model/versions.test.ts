import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isOlder, OLDEST_NODE } from '../../src/model/versions';

test.each([
  ['1.10.5', '1.11', true],
  ['1.5.7', '1.11', true],
  ['0.15.0', '1.11', true],
  ['1.11.0', '1.11', false],
  ['1.11.0-beta1', '1.11', false],
  ['1.15.9', '1.11', false],
  ['2.0.0', '1.11', false],
  ['16.20.2', '20.18', true],
  ['20.17.0', '20.18', true],
  ['20.18.0', '20.18', false],
  ['22.0.0', '20.18', false],
  ['1.17.6+ent', '1.18', true],
  ['1.18+ent', '1.18', false],
  ['dev', '1.11', false],
  ['', '1.11', false],
])('isOlder compares %s with %s: %s', (version, oldest, older) => {
  expect(isOlder(version, oldest)).toBe(older);
});

test('package.json requires the same Node.js as the messages', () => {
  const file = join(__dirname, '..', '..', 'package.json');
  const { engines } = JSON.parse(readFileSync(file, 'utf8')) as { engines: unknown };
  expect(engines).toEqual({ node: `>=${OLDEST_NODE}` });
});
