import type { TerraformStack } from 'cdktf';
import { ResourceProvider, VaultCluster, VaultSecret } from '../../../constructs';
import { startEmulator, type Emulator } from '../../../src/emulator';
import { serveProvider, type ServedProvider } from '../../support/served-provider';
import { Workspace } from '../../support/terraform';
import { upstreamMirror, upstreamMissing } from '../../support/upstream-mirror';
import { mirrorSettings } from './stack-workspace';

const mirror = upstreamMirror();
if (!mirror) console.warn(upstreamMissing());

/**
 * The providers that tests try through the real terraform. `hashicorp/vault` is one of them if its
 * executable is available.
 */
export const TRIED_PROVIDERS = [ResourceProvider.VAULTADMIN, ...(mirror ? [ResourceProvider.UPSTREAM] : [])];

/** An emulated cluster, and the folder of a stack with resources on it. */
interface LateStack {
  readonly workspace: Workspace;
  /** Declares the cluster, named `us`. */
  readonly clusterIn: (stack: TerraformStack) => VaultCluster;
  /** Returns the data of the server's response to a read below the path of ACL policies. */
  readonly policies: <T>(path: string) => Promise<T>;
}

/** Prepares a stack for each test, for values that Terraform knows later. */
export function useLateStack(resourceProvider: ResourceProvider): () => LateStack {
  let emulator: Emulator;
  let provider: ServedProvider;
  let workspace: Workspace;
  beforeEach(async () => {
    emulator = await startEmulator({ clusters: { us: 0 }, rootToken: 'root' });
    provider = await serveProvider();
    workspace = new Workspace({
      files: mirror ? { 'settings.tfrc': mirrorSettings(mirror) } : {},
      env: {
        ...provider.env,
        TF_VAR_token: 'root',
        ...(resourceProvider === ResourceProvider.UPSTREAM && { TF_CLI_CONFIG_FILE: 'settings.tfrc' }),
      },
    });
  });
  afterEach(async () => {
    await workspace.dispose();
    await provider.close();
    await emulator.close();
  });
  return () => {
    const { address } = emulator.clusters.us!;
    const token = () => VaultSecret.fromVariable('token');
    return {
      workspace,
      clusterIn: (stack) =>
        new VaultCluster(stack, 'us', { name: 'us', address, token: token(), resourceProvider }),
      async policies<T>(path: string) {
        const headers = { 'X-Vault-Token': 'root' };
        const answer = await fetch(`${address}/v1/sys/policies/acl${path}`, { headers });
        return ((await answer.json()) as { data: T }).data;
      },
    };
  };
}
