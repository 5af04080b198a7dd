import { Construct } from 'constructs';
import { providerAddressProblem } from '../../src/model/provider-source';
import { checkConstructProps, text } from '../private/expectations';
import { invalidProps } from '../private/messages';
import { phrase, property } from '../../src/model/messages';
import { setInstallation } from './private/installation';

/** The properties of the installation of the provider `vaultadmin`. */
export interface VaultadminInstallationProps {
  /**
   * The address that Terraform installs the provider from: `HOST/NAMESPACE/vaultadmin` of your registry, such as
   * `app.terraform.io/acme/vaultadmin`, or `vault-admin.internal/cdktf/vaultadmin` for a mirror. Nothing is placed beside
   * the stacks, and no entry is written to their lock files.
   *
   * @default - the provider is placed beside each stack, as `vault-admin.internal/cdktf/vaultadmin`
   */
  readonly source?: string | undefined;
}

/**
 * Says how the stacks of an app get the provider `vaultadmin`. Without it, the provider is placed beside each stack, and needs
 * Node.js where Terraform runs.
 *
 * It holds for all stacks of the app, before and after it in the code.
 */
export class VaultadminInstallation extends Construct {
  /**
   * @param scope the app.
   * @throws Error for invalid properties, for another scope than an app, and for a second one in an app.
   */
  constructor(scope: Construct, id: string, props: VaultadminInstallationProps = {}) {
    super(scope, id);
    checkConstructProps(
      this,
      'VaultadminInstallation',
      props,
      {},
      { source: text('an address', "'app.terraform.io/acme/vaultadmin'") },
    );
    const { source } = props;
    if (source !== undefined) checkSource(this, source);
    setInstallation(this, { source });
  }
}

function checkSource(construct: Construct, source: string): void {
  const problem = providerAddressProblem(source);
  if (!problem) return;
  throw invalidProps(construct, [
    phrase`VaultadminInstallation: ${property('source')} is ${problem.received ?? ''}; allowed:
      ${problem.allowed ?? ''}; ${problem.cure}`,
  ]);
}
