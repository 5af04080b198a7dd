import { isKnownServer } from '../../../src/model';

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
