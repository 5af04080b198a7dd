import { defineProvider, definitions, string, UNKNOWN, type PlanModifier } from '../../../src/plugin';
import { temporaryFolder } from '../../support/temporary-folder';
import { fixtureProvider } from '../fixture/provider';
import { World } from '../fixture/world';
import { expectConformance } from './conforms';
import { brokenPromises, planViolations } from './rules';

const ROUNDS = 200;
/**
 * The number of uniform cases: all arguments known, unknown or left out, each as a creation and as
 * a change.
 */
const ALIKE = 6;

describe('the resources of the fixture conform to the rules of Terraform', () => {
  const folder = temporaryFolder('world');
  const provider = fixtureProvider(folder);
  const data = { world: new World(folder), secret: null };

  test.each((provider.resources ?? []).map(({ name }) => [`fixture_${name}`]))(
    'no violations: %s',
    async (type) => {
      const plans = await expectConformance({
        provider,
        type,
        configurations: { known: { data, whenKnown: data } },
        rounds: ROUNDS,
      });
      expect(plans.known).toBeGreaterThan(ROUNDS / 2);
    },
  );
});

describe('violations of the rules', () => {
  const { resource } = definitions<{ readonly known: boolean }>();
  const thing = (planModifiers: readonly PlanModifier[]) =>
    defineProvider({
      name: 'acme',
      version: '1.0.0',
      schema: { attributes: {} },
      configure: () => ({ known: true }),
      resources: [
        resource({
          name: 'thing',
          schema: {
            attributes: {
              place: string({ optional: true, computed: true, planModifiers }),
              text: string({ optional: true }),
            },
          },
          modifyPlan: ({ plan }, { providerData: provider }) =>
            provider.known ? plan : { ...plan, place: UNKNOWN },
          create: ({ plan }) => ({ ...plan, place: 'here' }),
          read: ({ state }) => state,
          update: ({ plan }) => ({ ...plan, place: 'here' }),
          delete() {},
        }),
      ],
    });
  const known = { data: { known: true }, whenKnown: { known: true } };
  const unknown = { data: { known: false }, whenKnown: { known: true } };
  const conforms = (planModifiers: readonly PlanModifier[], configurations: Record<string, typeof known>) =>
    expectConformance({ provider: thing(planModifiers), type: 'acme_thing', configurations, rounds: ROUNDS });

  test('a conforming provider has no violations', async () => {
    expect(await conforms([], { known })).toEqual({ known: ROUNDS + ALIKE });
  });

  test('a configured value that becomes unknown with an unknown provider configuration is found', async () => {
    await expect(conforms([], { known, unknown })).rejects.toThrow(
      'place is "a" in the configuration, but planned as unknown',
    );
  });

  test('a planned value that must be unknown is found', async () => {
    await expect(conforms([() => ({ plan: 'b' })], { known })).rejects.toThrow('but planned as "b"');
  });

  test('a planned value that changes when more is known is found', async () => {
    const early: PlanModifier = ({ config }) => (config === null ? { plan: Math.random().toString() } : {});
    await expect(conforms([early], { known })).rejects.toThrow(/place was planned as ".*", and is ".*" when/);
  });
});

describe('the rules for planned values', () => {
  const attributes = { wo: string({ optional: true, writeOnly: true }), text: string({ optional: true }) };
  const content = { attributes, blocks: {} };
  const broken = (planned: object, config: object, prior: object | null = null) =>
    planViolations(content, {
      planned: { wo: null, text: null, ...planned },
      config: { wo: null, text: null, ...config },
      prior: prior && { wo: null, text: null, ...prior },
    });

  test('a planned value is the value of the configuration or of the state', () => {
    expect(broken({ text: 'a' }, { text: 'a' })).toEqual([]);
    expect(broken({ text: 'a' }, { text: 'A' }, { text: 'a' })).toEqual([]);
    expect(broken({ text: 'a' }, { text: 'A' })).toEqual([
      'text is "A" in the configuration, but planned as "a"',
    ]);
    expect(broken({ text: 'a' }, {}, { text: 'a' })).toHaveLength(1);
  });

  test('write-only values are not planned', () => {
    expect(broken({}, { wo: 'a' })).toEqual([]);
    expect(broken({ wo: 'a' }, { wo: 'a' })).toEqual(['wo is write-only, but planned']);
  });

  test('known planned values do not change, and unknown ones may become any value', () => {
    expect(brokenPromises({ a: UNKNOWN, b: [1] }, { a: 'x', b: [1] })).toEqual([]);
    expect(brokenPromises({ a: UNKNOWN, b: [1] }, { a: 'x', b: [2] })).toEqual([
      'b was planned as [1], and is [2] when more is known',
    ]);
  });
});
