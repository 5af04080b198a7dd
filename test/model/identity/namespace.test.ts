import { namespacePrefix, normalizeNamespace } from '../../../src/model';

test.each([
  ['', '', ''],
  [undefined, '', ''],
  [null, '', ''],
  ['/', '', ''],
  ['ns1', 'ns1', 'ns1/'],
  ['/ns1/ns2/', 'ns1/ns2', 'ns1/ns2/'],
])('%j is %j, a prefix of %j', (namespace, normalized, prefix) => {
  expect(normalizeNamespace(namespace)).toBe(normalized);
  expect(namespacePrefix(namespace)).toBe(prefix);
});
