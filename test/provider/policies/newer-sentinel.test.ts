import { block, startStack, type Stack } from '../support';

let stack: Stack;
afterEach(() => stack.close());

test('a policy is checked for the Sentinel version of its server, which is requested only if needed', async () => {
  stack = await startStack({ serverVersion: '1.13.0+ent' });
  const policy = (kind: 'rgp' | 'egp', text: string) =>
    block('resource', `vaultadmin_${kind}_policy`, {
      name: 'hours',
      policy: text,
      enforcement_level: 'advisory',
      ...(kind === 'egp' && { paths: ['kv/*'] }),
    });
  const defined = 'main = rule { request.data.x is defined }';
  stack.resources(policy('rgp', defined) + policy('egp', defined));
  const { code, errors } = await stack.run('plan');
  const tooNew = (kind: string) =>
    `${kind} policy "hours": policy is too new for the server: "is defined" requires Sentinel 0.21, and Vault 1.13 has 0.20 at most (line 1, column 15)`;
  expect([code, errors.map(({ summary }) => summary).sort()]).toEqual([1, [tooNew('EGP'), tooNew('RGP')]]);

  stack.resources(policy('egp', `# vault-admin: unchecked\n${defined}`));
  expect(await stack.run('plan')).toMatchObject({ code: 0, errors: [] });
});
