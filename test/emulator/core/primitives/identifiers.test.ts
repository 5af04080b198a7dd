import { randomText } from '../../../../src/emulator/core/primitives/identifiers';

it('random texts consist of letters and digits', () => {
  expect(randomText(100)).toMatch(/^[0-9A-Za-z]{100}$/);
  expect(randomText(24)).not.toBe(randomText(24));
});
