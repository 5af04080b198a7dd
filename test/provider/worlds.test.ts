/**
 * Policies, managed keys and automated snapshots under every alternative of what public sources leave open about them. One
 * configuration is about servers that each do something otherwise.
 */
import { ASSUMPTIONS_BY_TOPIC, startEmulator, type Assume, type Assumption } from '../../src/emulator';
import { BACKENDS, Expression, managedKey, type Value } from './managed-keys/support';
import { providerBlock, startStack, type Stack } from './support';

const TOPICS = Object.entries(ASSUMPTIONS_BY_TOPIC).filter(([topic]) => topic !== 'Replication');
const ALTERNATIVES = TOPICS.flatMap(([, topic]) =>
  Object.entries<Assumption>(topic).flatMap(([name, { alternatives }]) =>
    Object.keys(alternatives)
      .slice(1)
      .map((other) => ({ name, other })),
  ),
);

/** Refusals are not met with here: they share a server for each kind of words. */
const WORDS = ['curt', 'internal-error'];
const isRefusal = ({ other }: { readonly other: string }) => WORDS.includes(other);
const ASSUMED: readonly Assume[] = [
  ...ALTERNATIVES.filter((each) => !isRefusal(each)).map(({ name, other }) => ({ [name]: other })),
  ...WORDS.map((words) =>
    Object.fromEntries(ALTERNATIVES.filter(({ other }) => other === words).map(({ name }) => [name, words])),
  ),
];

/** The names of the clusters, with what their server does otherwise. */
const WORLDS = ASSUMED.map((assume, index) => [`w${index}`, assume] as const);
const NAMES = `toset(${JSON.stringify(WORLDS.map(([name]) => name))})`;

/** Has every version of the secrets and every kind of key. */
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
/** Quicker to generate than one of RSA. */
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

const KINDS = 5;

test('all alternatives are tried', () => {
  const tried = ASSUMED.flatMap((assume) => Object.keys(assume));
  console.log(`${tried.length} alternatives on ${WORLDS.length} servers`);
  expect(tried.sort()).toEqual(ALTERNATIVES.map(({ name }) => name).sort());
  expect(tried.length).toBeGreaterThanOrEqual(50);
});

test('objects are created, changed and destroyed, and a second plan has no changes', async () => {
  const versions = [
    estate('kv', { anyMount: false, retain: 3 }),
    estate('secret', { anyMount: true, retain: 5 }),
  ];
  for (const [index, version] of versions.entries()) {
    stack.resources(version);
    const { planned, errors } = await stack.run('apply');
    expect(errors).toEqual([]);
    expect(Object.keys(planned)).toHaveLength(KINDS * WORLDS.length);
    expect(new Set(Object.values(planned))).toEqual(new Set([index === 0 ? 'create' : 'update']));
    expect((await stack.run('plan')).planned).toEqual({});
  }
  expect(await stack.run('destroy')).toMatchObject({ code: 0, errors: [] });
});
