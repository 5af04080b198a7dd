import { report } from '../../src/provider/messages';
import { startEmulator, type Emulator } from '../../src/emulator';
import { Diagnostics, isKnown, UNKNOWN } from '../../src/plugin';
import { allOf } from '../../src/plugin/author/provider';
import { PROVIDER } from '../../src/provider';
import { Clusters } from '../../src/provider/clusters';
import { resolveConfiguration, type Configuration } from '../../src/provider/configuration';
import { expectConformance, type Configured } from '../plugin/conformance/conforms';
import type { Samples } from '../plugin/conformance/configurations';
import { POLICY } from './support';

const ROUNDS = 200;
const SAMPLES: Samples = { cluster: 'us', name: 'ops', namespace: 'team', policy: POLICY };
const SENTINEL = {
  ...SAMPLES,
  policy: 'main = rule { true }',
  enforcement_level: 'advisory',
  paths: ['kv/*'],
};
const OF_TYPE: Readonly<Record<string, Samples>> = {
  rgp_policy: SENTINEL,
  egp_policy: SENTINEL,
  perf_replication_set: {
    primary: 'us',
    secondaries: 'eu',
    confirm_data_loss: 'eu',
    mode: 'deny',
    abandoned_clusters: ['old'],
    token_delivery: 'wrapped',
  },
  perf_replication_secondary: { ...SAMPLES, confirm_data_loss: 'us' },
};

let emulator: Emulator;
let configurations: Readonly<Record<string, Configured>>;
const opened: Clusters[] = [];

beforeAll(async () => {
  // 2.0 is the first version that accepts every field of a managed key.
  emulator = await startEmulator({ clusters: { us: 0, eu: 0 }, serverVersion: '2.0.0+ent.hsm' });
  const [us, eu] = ['us', 'eu'].map((name) => {
    const { address, rootToken: token } = emulator.clusters[name]!;
    return { address, token };
  });
  const all = { us: us!, eu: eu! };
  configurations = {
    'all known': configured(all, all),
    'one cluster': configured({ us: us! }, { us: us! }),
    'no clusters': configured(null, null),
    'clusters unknown': configured(UNKNOWN, all),
    'clusters unknown, of which there is one': configured(UNKNOWN, { us: us! }),
    'a cluster unknown': configured({ us: UNKNOWN, eu: eu! }, all),
    'an address unknown': configured({ us: { ...us!, address: UNKNOWN }, eu: eu! }, all),
  };
});
afterAll(async () => {
  for (const clusters of opened) await clusters.close();
  await emulator.close();
});

/**
 * Each plan has its own provider: a provider refuses a second plan of the set that it has already
 * planned.
 */
function configured(now: unknown, then: unknown): Configured {
  return {
    get data() {
      return open(now);
    },
    get whenKnown() {
      return open(then);
    },
  };
}

function open(clusters: unknown): Clusters {
  const diagnostics = new Diagnostics();
  const env = { VAULT_ADDR: 'http://127.0.0.1:1', VAULT_MAX_RETRIES: '0' };
  const settings = resolveConfiguration({ clusters } as Configuration, env, (message) =>
    report(diagnostics, 'error', message),
  );
  expect(diagnostics.list).toEqual([]);
  const made = new Clusters(isKnown(settings) ? settings : UNKNOWN, { env: {}, mask: () => {} });
  opened.push(made);
  return made;
}

test.each(allOf(PROVIDER, 'resources').map(({ name }) => [name]))(
  'plans of %s, with arguments and settings known, unknown and left out, are valid for Terraform',
  async (name) => {
    const plans = await expectConformance({
      provider: PROVIDER,
      type: `vaultadmin_${name}`,
      configurations,
      samples: OF_TYPE[name] ?? SAMPLES,
      rounds: ROUNDS,
    });
    // Each configuration has plans that the provider accepts. Only a set without clusters is always
    // refused, because a set has to name its clusters.
    const refused = Object.keys(plans).filter((where) => plans[where] === 0);
    expect(
      name === 'perf_replication_set' ? refused.filter((where) => where !== 'no clusters') : refused,
    ).toEqual([]);
  },
);
