import { calculateTtl } from '../../../../src/emulator/core/stores/ttl';

describe('the TTLs of new and renewed tokens', () => {
  const mount = { default: 3600, max: 7200 };

  it.each([
    ['the default', {}, 0, 3600, []],
    ['the requested ones', { ttl: 60 }, 0, 60, []],
    ['the increment of a renewal rather than the requested ones', { ttl: 60, increment: 120 }, 0, 120, []],
    [
      "the mount's maximum",
      { ttl: 9000 },
      0,
      7200,
      ['TTL of "2h30m" exceeded the effective max_ttl of "2h"; TTL value is capped accordingly'],
    ],
    [
      'the rest of the maximum',
      { ttl: 3600, explicitMaxTtl: 4000 },
      1000,
      3000,
      ['TTL of "1h" exceeded the effective max_ttl of "50m"; TTL value is capped accordingly'],
    ],
    ['the period, whatever the age of the token', { period: 600 }, 100_000, 600, []],
    [
      'the period up to the maximum',
      { period: 9000 },
      0,
      7200,
      ['period of "2h30m" exceeded the effective max_ttl of "2h"; period value is capped accordingly'],
    ],
    ['nothing after the maximum', { maxTtl: 100 }, 100, undefined, []],
  ])('the effective TTLs are %s', (_, request, age, ttl, warnings) => {
    expect(calculateTtl(request, mount, age)).toEqual({ ttl, warnings });
  });
});
