import { isAmbiguous, isKnownServer, productVersion } from '../../../src/model';

test.each([
  [{ version: '1.10.0' }, true],
  [{ version: '1.21.3+ent' }, true],
  [{ version: '2.2.7+ent', enterprise: true }, true],
  [{ version: '2.1.0', enterprise: false }, true],
  [{ version: '2.3.0+ent', enterprise: true }, false],
  [{ version: '3.0.0', enterprise: false }, false],
  // OpenBao
  [{ version: '2.5.5' }, false],
])('all syntax of the server %j is known: %j', (health, expected) => {
  expect(isKnownServer(health)).toBe(expected);
});

test.each([
  [{ version: '2.2.2', enterprise: false }, '2.2.2'],
  [{ version: '2.2.2+ent' }, '2.2.2+ent'],
  [{ version: '1.21.0' }, '1.21.0'],
  [{ version: '2.6.2' }, 'openbao-2.6.2'],
])('the version of a server with the health %j names its product: %s', (health, expected) => {
  expect(productVersion(health)).toBe(expected);
});

test.each([
  ['1.21.0', false],
  ['2.2.2+ent', false],
  ['2.2.2', true],
])('the version %s may be one of two products: %s', (version, expected) => {
  expect(isAmbiguous(version)).toBe(expected);
});
