/**
 * Activation tokens and public keys: a plan creates none, and no file or output contains one.
 */
import { Canaries } from '../../support/canaries';
import { type Stack } from '../support';
import {
  CALLS,
  enablePrimary,
  enableSecondary,
  issueToken,
  revoke,
  startClusters,
  statusOf,
} from './support';

const ISSUE = `POST ${CALLS}/primary/secondary-token`;
const REVOKE = `POST ${CALLS}/primary/revoke-secondary`;

/** A token for `eu`, and a resource that writes the length of the token to a file. */
const token = (attributes = '') => `
ephemeral "vaultadmin_perf_replication_secondary_token" "eu" {
  cluster      = "us"
  secondary_id = "eu"
  ${attributes}
}
resource "terraform_data" "it" {
  triggers_replace = [1]
  provisioner "local-exec" {
    command     = "printf %s \\"$TOKEN\\" | wc -c > length"
    environment = { TOKEN = coalesce(ephemeral.vaultadmin_perf_replication_secondary_token.eu.token, " ") }
  }
}
`;

let stack: Stack;
afterEach(() => stack.close());

async function knownSecondaries() {
  const status = await statusOf(stack, 'us');
  return status.mode === 'primary' ? status.known_secondaries : undefined;
}
const tokenLength = () => Number(stack.workspace.read('length'));

describe('the life of a token', () => {
  beforeEach(async () => {
    stack = await startClusters();
    await enablePrimary(stack);
  });

  test('an unused token is revoked at the end of each command', async () => {
    stack.resources(token());
    const plan = await stack.must('plan');
    expect(plan.requests).toEqual(expect.arrayContaining([ISSUE, REVOKE]));
    expect(await knownSecondaries()).toEqual([]);
    await stack.must('apply');
    expect(tokenLength()).toBeGreaterThan(100);
    expect(await knownSecondaries()).toEqual([]);
  });

  test('a token with revoke_unused = false is kept, and an earlier unused token is revoked', async () => {
    const before = await issueToken(stack, 'eu');
    stack.resources(token('revoke_unused = false'));
    await stack.must('plan');
    expect(await knownSecondaries()).toEqual(['eu']);
    const { status } = await stack.ask('POST', 'sys/wrapping/lookup', { token: before });
    expect(status).toBe(400);
  });

  test('no token is issued for a secondary that has connected, also while the secondary is cut off', async () => {
    await enableSecondary(stack, 'eu');
    stack.resources(token());
    for (const reach of [() => {}, () => stack.emulator.replication.partition('us', 'eu')]) {
      reach();
      const report = await stack.must('apply', '-replace=terraform_data.it');
      expect(report.requests).not.toContain(ISSUE);
      expect(report.requests).not.toContain(REVOKE);
      expect(tokenLength()).toBe(1);
    }
    expect(await knownSecondaries()).toEqual(['eu']);
  });

  test('a token of a cluster that is not a primary is refused', async () => {
    stack.resources(token().replace('"us"', '"eu"'));
    const { code, errors, requests } = await stack.run('plan');
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      { summary: 'cannot create activation token "eu" on cluster "eu": the cluster is not a primary' },
    ]);
    expect(requests).not.toContain(ISSUE);
  });

  test('a token of another replication set is refused', async () => {
    stack.resources(token('cluster_id = "0b0c1d2e-0000-0000-0000-000000000000"'));
    const { code, errors, requests } = await stack.run('plan');
    expect(code).toBe(1);
    expect(errors).toMatchObject([
      {
        summary:
          'cannot create activation token "eu" on cluster "us": the cluster is the primary of another replication set',
      },
    ]);
    expect(requests).not.toContain(ISSUE);
  });

  test.each([
    ['ttl = "0"', 'activation token "eu": ttl must be at least one second'],
    ['ttl = "soon"', 'activation token "eu": ttl is not a valid duration'],
  ])('a token with %s is refused', async (attributes, summary) => {
    stack.resources(token(attributes));
    const { code, errors, requests } = await stack.run('plan');
    expect([code, requests]).toEqual([1, []]);
    expect(errors).toMatchObject([{ summary }]);
    expect(errors[0]!.detail).toContain('write for example "30m"');
  });
});

test('a server without public keys is an error with a cure, and no token is issued', async () => {
  stack = await startClusters();
  await enablePrimary(stack);
  stack.emulator.faults.inject({
    path: `${CALLS}/secondary/generate-public-key`,
    status: 404,
    errors: ['1 error occurred:\n\t* unsupported path\n\n'],
  });
  stack.resources(`
ephemeral "vaultadmin_perf_replication_public_key" "eu" {
  cluster = "eu"
}
${token('secondary_public_key = ephemeral.vaultadmin_perf_replication_public_key.eu.secondary_public_key')}`);
  const { code, errors, requests } = await stack.run('plan');
  expect(code).toBe(1);
  expect(errors).toMatchObject([
    {
      summary:
        'cannot create public key of a secondary on cluster "eu": the server does not support public keys',
      detail: expect.stringMatching(/version 1\.3 .*\n.*response-wrapped token/s) as string,
    },
  ]);
  expect(requests).not.toContain(ISSUE);
});

describe('the secrecy of tokens in plan, state, logs and arguments', () => {
  /** The beginning of every token that the emulator issues for `eu`, by the kind of the token. */
  const BEGINNINGS = {
    wrapped: Buffer.from('{"alg":"ES512","typ":"JWT"}').toString('base64url'),
    encrypted: Buffer.from('{"id":"eu","mode":64').toString('base64').slice(0, -2),
  };

  test('tokens have the beginnings that these tests search for', async () => {
    stack = await startClusters();
    await enablePrimary(stack);
    const { data: key } = await stack.ask(
      'POST',
      `${CALLS}/secondary/generate-public-key`,
      {},
      { cluster: 'eu' },
    );
    const encrypted = await stack.ask('POST', `${CALLS}/primary/secondary-token`, { id: 'eu', ...key });
    expect(encrypted.data!.token).toMatch(new RegExp(`^${BEGINNINGS.encrypted}`));
    await revoke(stack, 'eu');
    expect(await issueToken(stack, 'eu')).toMatch(new RegExp(`^${BEGINNINGS.wrapped}`));
  });

  const pair = (key: string) => `
ephemeral "vaultadmin_perf_replication_public_key" "eu" {
  cluster = "eu"
}
ephemeral "vaultadmin_perf_replication_secondary_token" "eu" {
  cluster              = "us"
  secondary_id         = "eu"
  secondary_public_key = ${key}
}
resource "vaultadmin_perf_replication_secondary" "eu" {
  cluster           = "eu"
  token_wo          = ephemeral.vaultadmin_perf_replication_secondary_token.eu.token
  token_wo_version  = 1
  confirm_data_loss = "eu"
}
`;

  test.each([
    ['encrypted', 'ephemeral.vaultadmin_perf_replication_public_key.eu.secondary_public_key'],
    ['wrapped', 'null'],
  ])('no output, log or file contains a part of an %s token', async (_, key) => {
    stack = await startClusters({ executable: true });
    await enablePrimary(stack);
    const canaries = new Canaries(stack.workspace, BEGINNINGS);
    stack.resources(pair(key));

    expect((await canaries.run('plan', '-input=false', '-out=tfplan')).code).toBe(0);
    expect(await knownSecondaries()).toEqual([]);
    expect((await canaries.run('show', '-json', 'tfplan')).code).toBe(0);
    expect((await canaries.run('apply', '-input=false', 'tfplan')).code).toBe(0);
    expect(await statusOf(stack, 'eu')).toMatchObject({ mode: 'secondary', state: 'stream-wals' });
    expect((await canaries.run('plan', '-input=false', '-detailed-exitcode')).code).toBe(0);
    expect((await canaries.run('destroy', '-input=false', '-auto-approve')).code).toBe(0);
    expect(canaries.sightings()).toEqual([]);
  });

  test('no output, log or file contains a part of a token that the server refuses', async () => {
    stack = await startClusters({ executable: true });
    await enablePrimary(stack);
    const canaries = new Canaries(stack.workspace, BEGINNINGS);
    stack.resources(pair('null'));
    stack.emulator.faults.inject({
      path: `${CALLS}/secondary/enable`,
      status: 500,
      errors: ['error unwrapping secondary token: Post "https://us/v1/sys/wrapping/unwrap": i/o timeout'],
      count: 1,
    });
    expect((await canaries.run('apply', '-input=false', '-auto-approve')).code).toBe(1);
    expect(await statusOf(stack, 'eu')).toEqual({ mode: 'disabled' });
    expect(canaries.sightings()).toEqual([]);

    // Terraform closes no ephemeral resource of a failed resource, so the next run revokes the
    // token.
    await stack.must('plan');
    expect(await knownSecondaries()).toEqual([]);
  });
});
