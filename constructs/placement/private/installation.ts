import { App } from 'cdktf';
import type { IConstruct } from 'constructs';
import { refuseConstruct } from '../../private/report';

/** The way in which the stacks of an app get the provider. */
export interface Installation {
  /**
   * The address from which Terraform installs the provider. Absent: the provider is placed beside
   * the stacks.
   */
  readonly source: string | undefined;
  /**
   * The platforms whose executables are placed. Absent: the form of the provider for Node.js is
   * placed.
   */
  readonly executables: readonly string[] | undefined;
  /** The folder with the executables. Absent: they come from npm packages. */
  readonly executablesFolder: string | undefined;
}

interface Declared extends Installation {
  readonly construct: IConstruct;
}

const DECLARED = new WeakMap<IConstruct, Declared>();
const DEFAULT: Installation = { source: undefined, executables: undefined, executablesFolder: undefined };

/**
 * Sets the installation of an app. A construct in a stack is refused, and so is a second one in the
 * app.
 */
export function setInstallation(construct: IConstruct, installation: Installation): void {
  const { root, scope } = construct.node;
  if (scope !== root || !App.isApp(root)) {
    refuseConstruct(construct, [
      `VaultadminInstallation: scope is ${scope?.node.path ?? 'nothing'}; allowed: the app; write for example new ` +
        'VaultadminInstallation(app, "Provider", {...})',
    ]);
    return;
  }
  const other = DECLARED.get(root);
  if (other) {
    refuseConstruct(construct, [
      `VaultadminInstallation: the app has one already: [${other.construct.node.path}]; allowed: one in an app; ` +
        'remove one of the two',
    ]);
    return;
  }
  DECLARED.set(root, { ...installation, construct });
}

/** Returns the way in which the stack of a construct gets the provider. */
export function installationOf(construct: IConstruct): Installation {
  return DECLARED.get(construct.node.root) ?? DEFAULT;
}
