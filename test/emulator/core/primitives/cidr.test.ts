import { canonicalCidr, cidrsAllow, cidrsContain } from '../../../../src/emulator/core/primitives/cidr';

describe('the canonical form', () => {
  it.each([
    ['10.0.0.0/8', '10.0.0.0/8'],
    [' 10.0.0.1 ', '10.0.0.1'],
    ['10.0.0.1/32', '10.0.0.1'],
    ['::1', '::1'],
    ['::1/128', '::1'],
    ['fd00::/8', 'fd00::/8'],
  ])('the canonical form of %j is %j', (text, expected) => expect(canonicalCidr(text)).toBe(expected));

  it.each(['', 'abc', '10.0.0.0/33', '10.0.0.0/', '10.0.0/8', '1.2.3.4/8/8', '::1/129'])(
    '%j has no canonical form',
    (text) => expect(canonicalCidr(text)).toBeUndefined(),
  );
});

describe('the allowed addresses', () => {
  it('every address is allowed if there are no blocks', () => expect(cidrsAllow([], '192.0.2.1')).toBe(true));

  it.each([
    [['10.0.0.0/8'], '10.9.8.7', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['192.0.2.1', '::1'], '::1', true],
    [['192.0.2.1'], '::1', false],
  ])('the blocks %j judge %s: %s', (cidrs, address, expected) =>
    expect(cidrsAllow(cidrs, address)).toBe(expected),
  );
});

describe('blocks within blocks', () => {
  it.each([
    [[], ['0.0.0.0/0'], true],
    [['10.0.0.0/8'], ['10.1.0.0/16', '10.2.3.4'], true],
    [['10.0.0.0/8'], ['10.1.0.0/16', '11.0.0.0/8'], false],
    [['10.1.0.0/16'], ['10.0.0.0/8'], false],
    [['10.0.0.0/8'], ['fd00::/8'], false],
  ])('whether the blocks %j contain %j: %s', (outer, inner, expected) =>
    expect(cidrsContain(outer, inner)).toBe(expected),
  );
});
