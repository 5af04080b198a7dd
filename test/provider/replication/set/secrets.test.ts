import { Canaries } from '../../../support/canaries';
import { OPERATOR, startClusters } from './support/clusters';
import { Session } from './support/session';
import { configure, startThree } from './support/set-stack';
import { startOverHttp } from './support/over-http';

const members = {
  eu: { confirm_data_loss: 'eu' },
  ap: { confirm_data_loss: 'ap', token_delivery: 'wrapped' },
};

test('no token, key or login is in the state, a message, or even the unmasked log', async () => {
  const clusters = await startClusters(['us', 'eu', 'ap'], {}, startOverHttp);
  try {
    await clusters.addOperators();
    const session = new Session(clusters);
    const secrets = new Set(Object.values(OPERATOR.parameters).slice(1));
    const watcher = {
      // Every value in a field for a token or a key is secret.
      after: async (_: unknown, answer: string) => {
        for (const [, text] of answer.matchAll(/"(?:token|client_token|secondary_public_key)":"([^"]+)"/g)) {
          secrets.add(text!);
        }
        await Promise.resolve();
      },
    };
    const outcomes = [
      await session.apply({ primary: 'us', secondaries: members }, { watcher }),
      await session.apply({ primary: 'eu', secondaries: { us: {}, ap: members.ap } }, { watcher }),
      await session.apply(
        { primary: 'eu', secondaries: { us: {} } },
        {
          watcher,
          interrupt: ({ path }) => (path.endsWith('/secondary/disable') ? 'dropped after' : undefined),
        },
      ),
    ];
    expect(outcomes.flatMap(({ errors }) => errors)).toEqual([]);
    // The joins and the switchover have two tokens and a key each, and each login has a token.
    expect(secrets.size).toBeGreaterThan(12);
    const traces = session.stored + JSON.stringify(outcomes) + session.log.join('\n');
    expect(session.log.length).toBeGreaterThan(30);
    expect([...secrets].filter((secret) => traces.includes(secret))).toEqual([]);
  } finally {
    await clusters.emulator.close();
  }
});

test('no token, key or login is in a file that terraform leaves', async () => {
  await using stack = await startThree({ executable: true });
  const canaries = new Canaries(stack.workspace, { planted: 'canary-planted-value' });
  configure(stack, { primary: 'us', secondaries: members });
  const results = [
    await canaries.run('plan', '-input=false', '-out=tfplan'),
    await canaries.run('show', '-json', 'tfplan'),
    await canaries.run('apply', '-input=false', 'tfplan'),
  ];
  expect(results.map(({ code }) => code)).toEqual([0, 0, 0]);
  const all = results.map(({ stdout, stderr }) => stdout + stderr).join('\n');
  // The provider's log has to be among the files that the test searches.
  expect(all).toContain('issue an activation token by');
  expect(all).not.toMatch(/eyJ[\w-]+\.[\w-]+\.[\w-]+/);
  expect(all).not.toMatch(/hvs\.[A-Za-z0-9]{8}/);
  expect(canaries.sightings()).toEqual([]);
});
