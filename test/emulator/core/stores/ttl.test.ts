import { calculateTtl } from '../../../../src/emulator/core/stores/ttl';

describe('the TTLs of new and renewed tokens', () => {
  const mount = { default: 3600, max: 7200 };

  it.each([
    ['the default', {}, 0, 3600, []],
    ['what is asked for', { ttl: 60 }, 0, 60, []],
    ['an increment first', { ttl: 60, increment: 120 }, 0, 120, []],
    [
      "the mount's maximum",
      { ttl: 9000 },
      0,
      7200,
      ['TTL of "2h30m" exceeded the effective max_ttl of "2h"; TTL value is capped accordingly'],
    ],
    [
      'what is left of the maximum',
      { ttl: 3600, explicitMaxTtl: 4000 },
      1000,
      3000,
      ['TTL of "1h" exceeded the effective max_ttl of "50m"; TTL value is capped accordingly'],
    ],
    ['a period, however old', { period: 600 }, 100_000, 600, []],
    [
      'a period up to the maximum',
      { period: 9000 },
      0,
      7200,
      ['period of "2h30m" exceeded the effective max_ttl of "2h"; period value is capped accordingly'],
    ],
    ['nothing past the maximum', { maxTtl: 100 }, 100, undefined, []],
  ])('the effective TTLs are %s', (_, request, age, ttl, warnings) => {
    expect(calculateTtl(request, mount, age)).toEqual({ ttl, warnings });
  });
});
