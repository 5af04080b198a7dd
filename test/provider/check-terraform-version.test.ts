import { startReattachServer, type ReattachServer } from '../../src/plugin';
import { contentOf, contentType } from '../../src/plugin/server/content';
import { valueCodec } from '../../src/plugin/wire/dynamic-value';
import { Diagnostic_Severity } from '../../src/plugin/wire/generated/tfplugin6';
import { PROVIDER, PROVIDER_ADDRESS } from '../../src/provider';
import { CONFIGURATION_SCHEMA } from '../../src/provider/configuration';
import { ProtocolClient } from '../plugin/support/client';

const configurations = valueCodec(contentType(contentOf(CONFIGURATION_SCHEMA)));

let server: ReattachServer;
let client: ProtocolClient;
beforeAll(async () => {
  server = await startReattachServer(PROVIDER, PROVIDER_ADDRESS);
  const { [PROVIDER_ADDRESS]: started } = JSON.parse(server.env.TF_REATTACH_PROVIDERS) as Record<
    string,
    { Addr: { String: string } }
  >;
  client = await ProtocolClient.connect(started!.Addr.String);
});
afterAll(async () => {
  client.close();
  await server.close();
});

/** Returns the messages when the provider is configured by a version of Terraform. */
async function said(terraformVersion: string): Promise<readonly object[]> {
  const config = configurations.encode({ clusters: null });
  const { diagnostics } = await client.call('configureProvider', { terraformVersion, config });
  return diagnostics.map(({ severity, summary, detail }) => ({ severity, summary, detail }));
}

test.each(['1.10.5', '1.5.7', '0.15.5'])('a warning names what %s cannot do', async (version) => {
  expect(await said(version)).toEqual([
    {
      severity: Diagnostic_Severity.WARNING,
      summary: `Terraform (or OpenTofu) ${version} is too old to keep secrets out of its states`,
      detail:
        'Write-only arguments, whose names end with _wo, are refused. The sensitive arguments that replace them are stored: ' +
        'in the state, and in saved plans.\n' +
        'To do: install Terraform 1.11 or OpenTofu 1.11, or newer. It can read the states that this version wrote.',
    },
  ]);
});

test.each(['1.11.0', '1.11.0-beta1', '1.15.9', '2.0.0', 'dev', ''])('no warning for %j', async (version) => {
  expect(await said(version)).toEqual([]);
});
