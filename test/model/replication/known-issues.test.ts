import { mayLoseDataByUpdatePrimary } from '../../../src/model';

test.each([
  ['1.10.11', true],
  ['1.11.11', true],
  ['1.11.12', false],
  ['1.12.8+ent', true],
  ['1.12.9+ent', false],
  ['1.13.4', true],
  ['1.13.5', false],
  ['1.14.0+ent.hsm', true],
  ['1.14.1', false],
  ['1.15.0', false],
  ['1.21.0+ent', false],
  ['2.0.0', false],
])('update-primary on %s may lose data: %s', (version, loses) => {
  expect(mayLoseDataByUpdatePrimary(version)).toBe(loses);
});
