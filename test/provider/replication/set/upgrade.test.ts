import { REPLICATION_SET_RESOURCE } from '../../../../src/provider/replication/set/resource';
import { upgradeResourceState } from '../../../../src/plugin/server/upgrade';
import { shapeOf } from '../../../../src/plugin/server/shape';
import { ProviderServer } from '../../../../src/plugin/server/provider-server';
import { Redactor } from '../../../../src/text';
import { PROVIDER } from '../../../../src/provider';

const { codec } = shapeOf(REPLICATION_SET_RESOURCE.schema);

/** Returns the upgraded secondaries of a state of the first schema version. */
async function upgraded(secondaries: object | null): Promise<unknown> {
  const read = await readAgain(0, { ...STORED, secondaries });
  expect(read).toMatchObject({ primary: 'us', deletion_protection: true, timeouts: null });
  return read.secondaries;
}

async function upgrade(version: number, state: object) {
  const server = new ProviderServer(PROVIDER, new Redactor(), () => {});
  return upgradeResourceState(server, {
    typeName: 'vaultadmin_perf_replication_set',
    version,
    rawState: { json: Buffer.from(JSON.stringify(state)) },
  });
}

/** Returns the upgraded values of a state of a schema version. */
async function readAgain(version: number, state: object): Promise<Record<string, unknown>> {
  const { upgradedState, diagnostics } = await upgrade(version, state);
  expect(diagnostics).toEqual([]);
  return codec.decode(upgradedState) as Record<string, unknown>;
}

const STORED = { id: 'us', primary: 'us', deletion_protection: true, secondaries: null };

const SECONDARY = {
  id: 'eu',
  confirm_data_loss: null,
  token_delivery: 'public_key',
  primary_api_addr: null,
  ca_file: null,
  ca_path: null,
};

test('a state of the first version gets everything = true for each secondary without a filter', async () => {
  const paths_filter = { mode: 'deny', paths: ['legal/'] };
  expect(
    await upgraded({ eu: { ...SECONDARY, paths_filter: null }, ap: { ...SECONDARY, paths_filter } }),
  ).toEqual({
    eu: { ...SECONDARY, paths_filter: null, everything: true },
    ap: { ...SECONDARY, paths_filter, everything: null },
  });
});

test('a state without secondaries stays without them', async () => {
  expect(await upgraded(null)).toBeNull();
});

test.each([0, 1])('a state of version %i loses the steps of its latest apply', async (version) => {
  const steps = ['us: become the primary of a new replication set (keeps its data)'];
  expect(await readAgain(version, { ...STORED, steps })).toMatchObject({ primary: 'us', steps: [] });
});

test.each([0, 1])(
  'a state of version %i without switchover gets its default, and keeps another value',
  async (version) => {
    expect(await readAgain(version, STORED)).toMatchObject({ switchover: 'verified' });
    expect(await readAgain(version, { ...STORED, switchover: 'immediate' })).toMatchObject({
      switchover: 'immediate',
    });
  },
);

test.each([0, 1])('a state of version %i with a secondary that has no values is refused', async (version) => {
  const { upgradedState, diagnostics } = await upgrade(version, { ...STORED, secondaries: { eu: null } });
  expect(upgradedState).toBeUndefined();
  expect(diagnostics).toMatchObject([
    {
      summary: 'performance replication set "us": secondaries["eu"] has no values in the state',
      detail:
        'Every version of the provider stores values there, so something else has changed the state. Nothing was changed.\n' +
        'To do: restore an earlier version of the state. If there is none, remove the set from the state (terraform state rm), ' +
        'and import it again.',
    },
  ]);
});
