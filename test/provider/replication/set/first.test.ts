import { startStack, type Stack } from '../../support';

let stack: Stack;
afterEach(() => stack.close());

test('a pair', async () => {
  stack = await startStack({ clusters: { us: 0, eu: 0, ap: 0 } });
  stack.resources(`resource "vaultadmin_perf_replication_set" "it" {
    primary = "us"
    secondaries = { eu = { paths_filter = { mode = "deny", paths = ["secret/"] } } }
  }`);
  console.log(JSON.stringify(await stack.workspace.plan(), null, 1).slice(0, 3000));
  console.log(JSON.stringify(await stack.run('apply'), null, 1));
  console.log(JSON.stringify(await stack.workspace.state(), null, 1));
  console.log(JSON.stringify(await stack.run('plan'), null, 1));
});
