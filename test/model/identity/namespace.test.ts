import { namespacePrefix, normalizeNamespace } from '../../../src/model';

test.each([
  ['', '', ''],
  [undefined, '', ''],
  [null, '', ''],
  ['/', '', ''],
  ['ns1', 'ns1', 'ns1/'],
  ['/ns1/ns2/', 'ns1/ns2', 'ns1/ns2/'],
])('the namespace %j is normalized to %j, with the prefix %j', (namespace, normalized, prefix) => {
  expect(normalizeNamespace(namespace)).toBe(normalized);
  expect(namespacePrefix(namespace)).toBe(prefix);
});
