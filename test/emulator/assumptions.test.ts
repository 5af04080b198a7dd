import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ASSUMPTIONS, ASSUMPTIONS_BY_TOPIC, startEmulator, type Assumption } from '../../src/emulator';

const FOLDER = join(__dirname, '..', '..', 'src', 'emulator');

/** The names of assumptions that the emulator's code uses. */
const taken = new Set(
  readdirSync(FOLDER, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.startsWith('assume'))
    .flatMap((file) => [
      ...readFileSync(join(FOLDER, file), 'utf8').matchAll(
        /(?:\bassumed\(|openRefusal\(|new OpenRefusal\()\s*'(\w+)'/g,
      ),
    ])
    .map(([, name]) => name),
);

describe.each(Object.entries<Assumption>(ASSUMPTIONS))('assumption %s', (name, { open, alternatives }) => {
  it("the name is used by the emulator's code", () => {
    expect([...taken]).toContain(name);
  });

  it('the alternatives have different values', () => {
    const values = Object.values(alternatives).map(({ says: _says, ...value }) =>
      JSON.stringify(value, (_key, each: unknown) => (typeof each === 'function' ? String(each) : each)),
    );
    expect(values.length).toBeGreaterThan(1);
    expect(new Set(values).size).toBe(values.length);
    expect(values).not.toContain('{}');
  });

  it('the texts of the assumption are sentences', () => {
    for (const text of [open, ...Object.values(alternatives).map(({ says }) => says)]) {
      expect(text).toMatch(/^\S.*\.$/);
    }
  });
});

it('the list has exactly the assumptions that the code uses, each under one topic', () => {
  expect(Object.keys(ASSUMPTIONS).sort()).toEqual([...taken].sort());
  const topics = Object.values(ASSUMPTIONS_BY_TOPIC).flatMap((topic) => Object.keys(topic));
  expect(topics.sort()).toEqual(Object.keys(ASSUMPTIONS).sort());
});

describe('the assumptions of an emulator', () => {
  it('the alternatives can be set at the start, and changed while it runs', async () => {
    await using emulator = await startEmulator({ assume: { statusRoot: 'absent' } });
    const { address, rootToken } = emulator.clusters.default;
    const control = async (method: string, body?: object) => {
      const response = await fetch(`${address}/emulator/v1/assumptions`, {
        method,
        headers: { 'X-Vault-Token': rootToken },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { status: response.status, body: (await response.json()) as Record<string, unknown> };
    };
    const status = async () => {
      const response = await fetch(`${address}/v1/sys/replication/performance/status`);
      return ((await response.json()) as { data: object }).data;
    };
    await fetch(`${address}/v1/sys/replication/performance/primary/enable`, {
      method: 'POST',
      headers: { 'X-Vault-Token': rootToken },
    });
    emulator.clock.advance(1_000);
    expect(await status()).not.toHaveProperty('merkle_root');
    expect(await control('POST', { statusRoot: 'reported', unavailability: 'curt' })).toMatchObject({
      status: 200,
      body: { statusRoot: 'reported', unavailability: 'curt', lastRemoteWal: 'position' },
    });
    expect(await status()).toHaveProperty('merkle_root');
    expect(await control('POST', { statusRoot: 'absent', unavailability: 'polite' })).toMatchObject({
      status: 400,
      body: {
        errors: [
          'assumption "unavailability" has no alternative "polite"; allowed are explained, curt, internal-error',
        ],
      },
    });
    expect((await control('GET')).body).toMatchObject({ statusRoot: 'reported', unavailability: 'curt' });
    emulator.assumed.choose({ statusRoot: 'absent' });
    expect((await control('GET')).body).toMatchObject({ statusRoot: 'absent' });
  });

  it('an unknown assumption or alternative is refused', async () => {
    await expect(startEmulator({ assume: { moonPhase: 'full' } as object })).rejects.toThrow(
      'assumption "moonPhase" is unknown; allowed are addressesAfterDemotion, ',
    );
  });
});
