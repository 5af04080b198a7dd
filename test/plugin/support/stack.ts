import { startReattachServer } from '../../../src/plugin';
import { temporaryFolder } from '../../support/temporary-folder';
import { Workspace } from '../../support/terraform';
import { ADDRESS, fixtureProvider } from '../fixture/provider';
import { World } from '../fixture/world';

export const REQUIRES_FIXTURE = `
terraform {
  required_providers {
    fixture = { source = "${ADDRESS}" }
  }
}
`;

/** A configuration with the fixture provider, which runs in the process of the test. */
export interface FixtureStack {
  readonly workspace: Workspace;
  readonly world: World;
  /** Replaces the configuration. */
  readonly configure: (resources: string) => void;
  dispose(): Promise<void>;
}

export async function fixtureStack(resources = ''): Promise<FixtureStack> {
  const folder = temporaryFolder('world');
  const server = await startReattachServer(fixtureProvider(folder), ADDRESS);
  const workspace = new Workspace({ env: server.env });
  const configure = (text: string) => workspace.write('main.tf', REQUIRES_FIXTURE + text);
  configure(resources);
  return {
    workspace,
    world: new World(folder),
    configure,
    dispose: async () => {
      await workspace.dispose();
      await server.close();
    },
  };
}
