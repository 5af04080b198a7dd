import { aclPolicy, providerBlock, startStack, type Stack } from '../support';

let stack: Stack;
afterEach(() => stack.close());

const UNKNOWN = 'path "kv/*" {\n  capabilities = ["read", "scan"]\n  pagination_limit = 10\n}';

/**
 * Configures the cluster `us`.
 *
 * @param more further settings of the cluster, in HCL.
 */
function configure(more: string): void {
  const { address, rootToken } = stack.emulator.clusters.us!;
  stack.configure(providerBlock(`    us = { address = "${address}", token = "${rootToken}"${more} }`));
}

async function planOf(policy: string) {
  stack.resources(aclPolicy({ name: 'ops', policy }));
  const { code, errors, warnings } = await stack.run('plan');
  return {
    code,
    errors: errors.map(({ summary }) => summary),
    warnings: warnings.map(({ summary }) => summary),
  };
}

test('unknown syntax is an error, or a warning if the settings of the cluster or the version of its server ask for one', async () => {
  stack = await startStack({ serverVersion: '1.21.0+ent' });
  const refused =
    'ACL policy "ops": policy cannot be parsed: path "kv/*": invalid key "pagination_limit" on line 3 (line 3, column 3)';
  expect(await planOf(UNKNOWN)).toEqual({ code: 1, errors: [refused], warnings: [] });

  configure(', unknown_policy_syntax = "warn"');
  const noted =
    'ACL policy "ops": policy uses syntax that is not known: path "kv/*": invalid key "pagination_limit" on line 3 ' +
    '(line 3, column 3)';
  expect(await planOf(UNKNOWN)).toEqual({ code: 0, errors: [], warnings: [noted] });
  const misspelled =
    'ACL policy "ops": policy cannot be parsed: path "kv/*": invalid capability "raed" (line 1, column 31)';
  expect(await planOf('path "kv/*" { capabilities = ["raed"] }')).toMatchObject({
    code: 1,
    errors: [misspelled],
  });

  configure(', unknown_policy_syntax = "ignore"');
  expect(await planOf(UNKNOWN)).toMatchObject({
    code: 1,
    errors: ['cluster "us": unknown_policy_syntax is not valid'],
  });
  await stack.close();

  stack = await startStack({ serverVersion: '2.9.0+ent' });
  expect(await planOf(UNKNOWN)).toEqual({ code: 0, errors: [], warnings: [noted] });
  configure(', unknown_policy_syntax = "error"');
  expect(await planOf(UNKNOWN)).toEqual({ code: 1, errors: [refused], warnings: [] });
});
