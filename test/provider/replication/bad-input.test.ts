/**
 * Joins that the provider or a server refuses: each error has a cure, and neither cluster has
 * changed afterwards.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeAuthority } from '../../client/support/certificates';
import { temporaryFolder } from '../../support/temporary-folder';
import { block, type Report, type Stack } from '../support';
import {
  asOperator,
  CALLS,
  change,
  enablePrimary,
  enableSecondary,
  giveToken,
  issueToken,
  revoke,
  startClusters,
  statusOf,
} from './support';

const TYPE = 'vaultadmin_perf_replication_secondary';
const ENABLE = `POST ${CALLS}/secondary/enable`;

let stack: Stack;
let folder: string;
beforeAll(() => {
  folder = temporaryFolder('bad-input');
});
afterEach(() => stack.close());

async function start(options: Parameters<typeof startClusters>[0] = {}) {
  stack = await startClusters({ clusters: { us: 0, eu: 0, ap: 0 }, ...options });
  await enablePrimary(stack);
}

async function joinWith(token: string, attributes: object = {}): Promise<Report> {
  stack.resources(
    'variable "token" {\n  type      = string\n  ephemeral = true\n}\n' +
      block('resource', TYPE, {
        cluster: 'eu',
        token_wo: '${var.token}',
        token_wo_version: 1,
        confirm_data_loss: 'eu',
        ...attributes,
      }),
  );
  giveToken(stack, token);
  return stack.run('apply');
}

/** Expects that the join was refused with these texts, and that the cluster has not changed. */
async function expectRefusal(report: Report, summary: string, ...details: readonly string[]) {
  expect(report.code).toBe(1);
  expect(report.errors.map((error) => error.summary)).toEqual([summary]);
  for (const detail of details) expect(report.errors[0]!.detail.replace(/\s+/g, ' ')).toContain(detail);
  expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });
  expect(await stack.addresses()).toEqual([]);
  // The data of the cluster is still there: the operator can log in.
  await asOperator(stack, 'eu', (client) => client.token.lookupSelf());
}

const REFUSED =
  'cannot create performance replication secondary on cluster "eu": the primary refused the activation token';
const NOT_REACHED =
  'cannot create performance replication secondary on cluster "eu": the secondary could not reach the primary';

describe('the token of a join', () => {
  beforeEach(() => start());

  test('a token that has expired is refused', async () => {
    const token = await issueToken(stack, 'eu', { ttl: '1m' });
    stack.emulator.clock.advance(61_000);
    await expectRefusal(await joinWith(token), REFUSED, 'has expired', 'issue a new one on the primary');
  });

  test('a token that was used is refused', async () => {
    const token = await issueToken(stack, 'eu');
    await change(stack, 'ap', 'secondary', (calls) => calls.enableSecondary({ token }));
    await expectRefusal(await joinWith(token), REFUSED, 'was already used');
    expect(await statusOf(stack, 'ap')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
  });

  test('a token that was revoked is refused', async () => {
    const token = await issueToken(stack, 'eu');
    await revoke(stack, 'eu');
    await expectRefusal(await joinWith(token), REFUSED, 'was revoked');
  });

  test('a token for the public key of another cluster is refused', async () => {
    const { data: key } = await stack.ask(
      'POST',
      `${CALLS}/secondary/generate-public-key`,
      {},
      { cluster: 'ap' },
    );
    const { data } = await stack.ask('POST', `${CALLS}/primary/secondary-token`, { id: 'eu', ...key });
    await expectRefusal(
      await joinWith(data!.token as string),
      'cannot create performance replication secondary on cluster "eu": the server refused the request',
    );
  });

  test('a text that is not a token is refused', async () => {
    await expectRefusal(
      await joinWith('not-a-token'),
      'cannot create performance replication secondary on cluster "eu": the server refused the request',
    );
  });

  test.each<[object]>([[{ token_wo: null, token_wo_version: null }], [{ token_wo: '' }]])(
    '%j',
    async (attributes) => {
      const report = await joinWith('unused', attributes);
      await expectRefusal(
        report,
        'performance replication secondary on cluster "eu": joining requires an activation token',
        'set token_wo and token_wo_version',
      );
      expect(report.requests).toEqual([]);
    },
  );

  test('a token together with update_primary_addrs is refused', async () => {
    const report = await joinWith('canary-token', { update_primary_addrs: ['us:8201'] });
    await expectRefusal(
      report,
      'performance replication secondary: update_primary_addrs conflicts with token',
      'remove one of them',
    );
    expect(report.requests).toEqual([]);
    expect(JSON.stringify(report)).not.toContain('canary-token');
  });
});

test('no token is issued for an id that is in use, and no cluster joins with the id', async () => {
  await start();
  await enableSecondary(stack, 'ap', 'eu');
  stack.resources(`
ephemeral "vaultadmin_perf_replication_secondary_token" "eu" {
  cluster      = "us"
  secondary_id = "eu"
}
resource "${TYPE}" "it" {
  cluster           = "eu"
  token_wo          = ephemeral.vaultadmin_perf_replication_secondary_token.eu.token
  token_wo_version  = 1
  confirm_data_loss = "eu"
}
`);
  const report = await stack.run('apply');
  await expectRefusal(
    report,
    'performance replication secondary on cluster "eu": joining requires an activation token',
    'the primary already knows the id: revoke it there first',
  );
  expect(report.requests).not.toContain(ENABLE);
  expect(await statusOf(stack, 'ap')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
});

describe('the connection to the primary', () => {
  test('a join is refused if nothing listens at the address of the primary', async () => {
    await start();
    await expectRefusal(
      await joinWith(await issueToken(stack, 'eu'), { primary_api_addr: 'http://127.0.0.1:1' }),
      NOT_REACHED,
      'http://127.0.0.1:1/v1/sys/wrapping/unwrap',
      'connection refused',
      'primary_api_addr',
    );
  });

  test('a join whose primary is cut off is refused', async () => {
    await start();
    const token = await issueToken(stack, 'eu');
    stack.emulator.replication.partition('us', 'eu');
    await expectRefusal(await joinWith(token), NOT_REACHED, 'i/o timeout');
    // The token is still unused, and joins once the connection works.
    stack.emulator.replication.heal();
    expect((await joinWith(token)).code).toBe(0);
  });

  test(`a join is refused without the CA of the primary's certificate, and succeeds with it`, async () => {
    await start({ tls: true });
    const stranger = join(folder, 'stranger.pem');
    writeFileSync(stranger, makeAuthority('Stranger').cert);
    const token = await issueToken(stack, 'eu');
    for (const attributes of [{ ca_file: stranger }, {}]) {
      await expectRefusal(
        await joinWith(token, attributes),
        NOT_REACHED,
        'x509',
        "the CA of the primary's certificate in ca_file or ca_path",
      );
    }
    const { caCertFile } = stack.emulator.clusters.us!;
    expect(await joinWith(token, { ca_file: caCertFile })).toMatchObject({ code: 0, errors: [] });
  });
});

describe('the cluster that joins', () => {
  beforeEach(() => start());

  test('a primary cannot become its own secondary', async () => {
    const report = await joinWith(await issueToken(stack, 'us'), { cluster: 'us', confirm_data_loss: 'us' });
    expect(report.code).toBe(1);
    expect(report.errors).toMatchObject([
      { summary: 'cluster "us" is the primary of a replication set and cannot join one' },
    ]);
    expect(report.requests).not.toContain(ENABLE);
    expect(await statusOf(stack, 'us')).toMatchObject({ mode: 'primary' });
  });

  test('a cluster that is already a secondary is refused', async () => {
    await enableSecondary(stack, 'eu');
    const report = await joinWith(await issueToken(stack, 'eu-2'));
    expect(report.code).toBe(1);
    expect(report.errors).toMatchObject([{ summary: 'cluster "eu" is already a secondary' }]);
    expect(report.errors[0]!.detail).toContain(`terraform import ${TYPE}.NAME 'eu//performance'`);
    expect(await statusOf(stack, 'eu')).toMatchObject({ secondary_id: 'eu', state: 'stream-wals' });
  });

  test('a cluster that the provider does not know is refused', async () => {
    const report = await joinWith('unused', { cluster: 'mars', confirm_data_loss: 'mars' });
    expect(report.errors).toMatchObject([
      { summary: 'performance replication secondary: cluster "mars" is not configured' },
    ]);
  });
});
