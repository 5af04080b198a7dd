/**
 * Policies, managed keys and automated snapshots under every alternative of the assumptions about
 * them, and under random combinations. One configuration has several servers, each with other
 * alternatives. `npm run worlds -- --rounds 200 --seed 7` tries more combinations.
 */
import { ASSUMPTIONS_BY_TOPIC, startEmulator, type Assume, type Assumption } from '../../src/emulator';
import { Random } from '../model/support/random';
import { BACKENDS, Expression, managedKey, type Value } from './managed-keys/support';
import { providerBlock, startStack, type Stack } from './support';

const { WORLDS_ROUNDS: rounds = '2', WORLDS_SEED: seed = '20260' } = process.env;

const TOPICS = Object.entries(ASSUMPTIONS_BY_TOPIC).filter(([topic]) => topic !== 'Replication');
const ALTERNATIVES = TOPICS.flatMap(([, topic]) =>
  Object.entries<Assumption>(topic).flatMap(([name, { alternatives }]) =>
    Object.keys(alternatives)
      .slice(1)
      .map((other) => ({ name, other })),
  ),
);

/**
 * The alternatives that differ only in the text of a refusal. They share one server for each text.
 */
const WORDS = ['curt', 'internal-error'];
const isRefusal = ({ other }: { readonly other: string }) => WORDS.includes(other);
const SINGLE: readonly Assume[] = [
  ...ALTERNATIVES.filter((each) => !isRefusal(each)).map(({ name, other }) => ({ [name]: other })),
  ...WORDS.map((words) =>
    Object.fromEntries(ALTERNATIVES.filter(({ other }) => other === words).map(({ name }) => [name, words])),
  ),
];

/** About a third of the alternatives of each server are not the default. */
const random = new Random(Number(seed));
const COMBINED: readonly Assume[] = Array.from({ length: Number(rounds) }, () =>
  Object.fromEntries(
    TOPICS.flatMap(([, topic]) =>
      Object.entries<Assumption>(topic)
        .filter(() => random.below(3) === 0)
        .map(([name, { alternatives }]) => [name, random.pick(Object.keys(alternatives).slice(1))] as const),
    ),
  ),
);

/** The names of the clusters, with the alternatives of their server. */
const WORLDS = [...SINGLE, ...COMBINED].map((assume, index) => [`w${index}`, assume] as const);
const NAMES = `toset(${JSON.stringify(WORLDS.map(([name]) => name))})`;

/** The version has all fields for secrets and all kinds of keys. */
const serverVersion = '1.21.0+ent.hsm';

let stack: Stack;
const closing: (() => Promise<void>)[] = [];
beforeAll(async () => {
  const others = await Promise.all(
    WORLDS.map(([name, assume]) => startEmulator({ clusters: { [name]: 0 }, serverVersion, assume })),
  );
  closing.push(...others.map((other) => () => other.close()));
  stack = await startStack({
    provider: () =>
      providerBlock(
        others
          .flatMap(({ clusters }) => Object.values(clusters))
          .map(
            ({ name, address, rootToken }) => `${name} = { address = "${address}", token = "${rootToken}" }`,
          )
          .join('\n'),
      ),
  });
  closing.push(() => stack.close());
});
afterAll(() => Promise.all(closing.map((close) => close())));

const { library, key_label, slot } = BACKENDS.pkcs11;
/** An elliptic key is generated faster than an RSA key. */
const pkcs11 = { library, key_label, slot, mechanism: '0x1041', curve: 'P256', pin: '1234' };

/** All objects on every server. */
function estate(text: string, { anyMount, retain }: { readonly anyMount: boolean; readonly retain: number }) {
  const of = { for_each: new Expression(NAMES), cluster: new Expression('each.key') };
  const resource = (type: string, values: Readonly<Record<string, Value>>, blocks = '') =>
    `resource "vaultadmin_${type}" "it" {\n${Object.entries({ ...of, ...values })
      .map(([key, value]) => `  ${key} = ${value instanceof Expression ? value.text : JSON.stringify(value)}`)
      .join('\n')}\n${blocks}\n}\n`;
  return [
    resource('acl_policy', { name: 'acl', policy: `path "${text}/*" {\n  capabilities = ["read"]\n}\n` }),
    resource('rgp_policy', {
      name: 'rgp',
      enforcement_level: 'advisory',
      policy: `main = rule { "${text}" is "" }\n`,
    }),
    resource('egp_policy', {
      name: 'egp',
      enforcement_level: 'soft-mandatory',
      paths: [`${text}/*`],
      policy: 'main = rule { true }\n',
    }),
    managedKey({
      ...of,
      name: 'it',
      allow_generate_key: true,
      any_mount: anyMount,
      pkcs11,
      test_sign: { hash_algorithm: 'sha2-256' },
    }),
    resource(
      'auto_snapshot',
      { name: 'it', interval: '24h', retain, path_prefix: 'backups/' },
      '  azure_blob {\n    azure_container_name = "backups"\n    azure_account_name = "account"\n    azure_account_key = "secret-1"\n  }',
    ),
  ].join('\n');
}

/** The ids of the objects on the server of each cluster. */
const IDS: Readonly<Record<string, string>> = {
  acl_policy: 'acl',
  rgp_policy: 'rgp',
  egp_policy: 'egp',
  managed_key: 'pkcs11/it',
  auto_snapshot: 'it',
};
const KINDS = Object.keys(IDS).length;

/** Takes all objects into the state. */
const IMPORTS = Object.entries(IDS)
  .map(
    ([type, id]) =>
      `import {\n  for_each = ${NAMES}\n  to = vaultadmin_${type}.it[each.key]\n  id = "\${each.key}//${id}"\n}\n`,
  )
  .join('');

test('the tests cover all alternatives', () => {
  const tried = SINGLE.flatMap((assume) => Object.keys(assume));
  console.log(
    `${tried.length} alternatives and ${COMBINED.length} combinations of seed ${seed} on ${WORLDS.length} servers`,
  );
  expect(tried.sort()).toEqual(ALTERNATIVES.map(({ name }) => name).sort());
  expect(tried.length).toBeGreaterThanOrEqual(50);
  for (const combined of COMBINED) expect(Object.keys(combined).length).toBeGreaterThan(1);
});

test('objects are created, changed, imported and destroyed, and a second plan has no changes', async () => {
  const [first, second] = [
    estate('kv', { anyMount: false, retain: 3 }),
    estate('secret', { anyMount: true, retain: 5 }),
  ];
  const apply = async (config: string) => {
    stack.resources(config);
    const { planned, errors } = await stack.run('apply');
    expect(whereFrom(errors)).toEqual([]);
    return planned;
  };
  const all = KINDS * WORLDS.length;
  expect(Object.values(await apply(first))).toEqual(Array(all).fill('create'));
  expect((await stack.run('plan')).planned).toEqual({});
  expect(Object.values(await apply(second))).toEqual(Array(all).fill('update'));
  // The objects are imported into another state. Servers do not return secrets, so the secrets of
  // keys and snapshots are written again.
  stack.workspace.remove('terraform.tfstate');
  const imported = Object.entries(await apply(second + IMPORTS));
  expect(imported).toHaveLength(all);
  expect(
    imported.filter(([address, change]) => change !== (address.includes('policy') ? 'import' : 'update')),
  ).toEqual([]);
  expect((await stack.run('plan')).planned).toEqual({});
  expect(await stack.run('destroy')).toMatchObject({ code: 0, errors: [] });
}, 3_600_000);

/** Returns the errors, each with the alternatives of the server that it names. */
function whereFrom(errors: readonly { readonly summary: string; readonly detail: string }[]) {
  return errors.map(({ summary, detail }) => {
    const assumed = WORLDS.filter(([name]) => summary.includes(`"${name}"`)).map(([, assume]) => assume);
    return `${summary}: ${detail} (seed ${seed}: ${JSON.stringify(assumed)})`;
  });
}
