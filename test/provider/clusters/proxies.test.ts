import { aclPolicy, providerBlock, startStack } from '../support';
import { startProxy } from '../../support/forward-proxy';
import { startEmulator } from '../../../src/emulator';

test('the provider reaches a cluster through the proxy in its environment', async () => {
  const emulator = await startEmulator({ clusters: { us: 0 }, allowedHosts: ['vault.example'] });
  const { address, rootToken } = emulator.clusters.us;
  const proxy = await startProxy(address);
  const stack = await startStack({
    executable: true,
    provider: () =>
      providerBlock(
        `    us = { address = "http://vault.example:8200", token = "${rootToken}", max_retries = 0 }`,
      ),
    env: () => ({ HTTP_PROXY: proxy.address }),
  });
  try {
    stack.resources(aclPolicy({ name: 'ops' }));
    await stack.must('apply');
    expect(new Set(proxy.asked)).toContain('POST http://vault.example:8200/v1/sys/policies/acl/ops');
  } finally {
    await stack.close();
    await emulator.close();
  }
});
