import { aclPolicy, providerBlock, startStack } from '../support';
import { startProxy } from '../../support/forward-proxy';
import { startEmulator } from '../../../src/emulator';

const SECRET = 'cloud-flare-access-4711';

test('the provider reaches a cluster through the proxy in its environment, with the headers that the proxy requires', async () => {
  const emulator = await startEmulator({ clusters: { us: 0 }, allowedHosts: ['vault.example'] });
  const { address, rootToken } = emulator.clusters.us;
  const proxy = await startProxy(address);
  const stack = await startStack({
    executable: true,
    provider: () =>
      providerBlock(
        `    us = {
      address     = "http://vault.example:8200"
      token       = "${rootToken}"
      max_retries = 0
      headers     = { "CF-Access-Client-Secret" = "${SECRET}" }
    }`,
      ),
    env: () => ({ HTTP_PROXY: proxy.address }),
  });
  try {
    stack.resources(aclPolicy({ name: 'ops' }));
    await stack.must('apply');
    expect(new Set(proxy.headers.map((headers) => headers['cf-access-client-secret']))).toEqual(
      new Set([SECRET]),
    );
    expect(new Set(proxy.asked)).toContain('POST http://vault.example:8200/v1/sys/policies/acl/ops');
  } finally {
    await stack.close();
    await emulator.close();
  }
});
