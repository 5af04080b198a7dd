import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { App, TerraformStack } from 'cdktf';
import { VaultCluster, type ResourceProvider } from '../../../constructs';
import { inFolder } from './synthesize';

export type Build = (stack: TerraformStack, cluster: VaultCluster) => unknown;

/**
 * Builds and synthesizes an app that must fail before it writes a file for Terraform.
 *
 * @returns its error
 */
export function failure(resources: ResourceProvider, build: Build): string {
  return inFolder((folder) => {
    const app = new App({ outdir: folder });
    const stack = new TerraformStack(app, 'stack');
    try {
      build(stack, new VaultCluster(stack, 'Cluster', { resourceProvider: resources }));
      app.synth();
    } catch (error) {
      expect(existsSync(join(folder, 'stacks', 'stack', 'cdk.tf.json'))).toBe(false);
      return (error as Error).message;
    }
    throw new Error('nothing was refused');
  });
}
