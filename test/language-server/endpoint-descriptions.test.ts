import { descriptionOf } from '../../src/language-server/endpoint-descriptions';
import { ENDPOINT_LINES } from '../../src/model/acl/lint/endpoint-table';

const ENDPOINTS = Object.entries(ENDPOINT_LINES).flatMap(([kind, lines]) =>
  lines
    .trim()
    .split('\n')
    .map((line) => [kind, line.split(' ')[0]!] as const),
);

test('each endpoint of the table has a description of one sentence', () => {
  const without = ENDPOINTS.filter(([kind, path]) => !/^[A-Z].*\.$/.test(descriptionOf(kind, path) ?? ''));
  expect(without).toEqual([]);
});

test.each([
  ['sys', 'policies/acl/+', 'Manages ACL policies.'],
  ['sys', 'storage/raft/snapshot', 'Takes a snapshot of all data, or restores one.'],
  ['sys', 'storage/raft/join', 'Manages the nodes of integrated storage.'],
  ['userpass', 'users/+/password', 'Sets the password of a user.'],
  ['kv-1', '*', 'Manages secrets.'],
  ['sys', 'nothing/here', undefined],
  ['none', 'config', undefined],
])('the description of %s %s is its own, or that of the nearest path above it', (kind, path, sentence) => {
  expect(descriptionOf(kind, path)).toBe(sentence);
});
