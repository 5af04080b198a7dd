import { Construct } from 'constructs';
import { literal, literals, phrase, property, type Phrase } from '../../src/model/messages';
import { providerAddressProblem } from '../../src/model/provider-source';
import { checkConstructProps } from '../private/expectations';
import { refuseProps } from '../private/report';
import { setInstallation } from './private/installation';

/** A platform that the provider has an executable for. */
export enum ProviderPlatform {
  /** Linux on x64, with glibc or musl. */
  LINUX_AMD64 = 'linux_amd64',
  /** Linux on arm64, with glibc or musl. */
  LINUX_ARM64 = 'linux_arm64',
  /** macOS on x64. */
  DARWIN_AMD64 = 'darwin_amd64',
  /** macOS on arm64. */
  DARWIN_ARM64 = 'darwin_arm64',
  /** Windows on x64. */
  WINDOWS_AMD64 = 'windows_amd64',
}

/** The properties of the installation of the provider `vaultadmin`. */
export interface VaultadminInstallationProps {
  /**
   * The address that Terraform installs the provider from: `HOST/NAMESPACE/vaultadmin` of your
   * registry, such as `app.terraform.io/acme/vaultadmin`, or
   * `vault-admin.internal/cdktf/vaultadmin` for a mirror. No provider is placed beside the stacks,
   * and no entry is written to their lock files.
   *
   * @default - the provider is placed beside each stack, as `vault-admin.internal/cdktf/vaultadmin`
   */
  readonly source?: string | undefined;

  /**
   * The platforms that Terraform runs on, whose executables are placed beside each stack. They do
   * not need Node.js. Not together with `source`.
   *
   * @default - the form of the provider that needs Node.js is placed
   */
  readonly executables?: ProviderPlatform[] | undefined;

  /**
   * The folder with the executables: `linux_amd64/`, with the unpacked package of the platform, and
   * so on. If it has the `checksums_VERSION.json` of the release, lock files have the hashes of all
   * packages.
   *
   * @default - the executables are those of the npm packages `vault-admin-provider-linux-amd64` and
   *   so on
   */
  readonly executablesFolder?: string | undefined;
}

/**
 * Says how the stacks of an app get the provider `vaultadmin`. Without it, the form of the provider
 * that needs Node.js is placed beside each stack.
 *
 * It holds for all stacks of the app, before and after it in the code.
 */
export class VaultadminInstallation extends Construct {
  /**
   * @param scope the app.
   * @throws Error for invalid properties, for another scope than an app, and for a second one in an
   *   app.
   */
  constructor(scope: Construct, id: string, props: VaultadminInstallationProps = {}) {
    super(scope, id);
    const usable = checkConstructProps(
      this,
      'VaultadminInstallation',
      'VaultadminInstallationProps',
      props,
      {},
    );
    const { source, executables, executablesFolder } = usable;
    const problems = [
      ...sourceProblems(source),
      ...executablesProblems(executables),
      ...combinationProblems(usable),
    ];
    if (problems.length > 0) refuseProps(this, problems);
    else
      setInstallation(this, {
        source,
        executables: executables && [...new Set(executables)],
        executablesFolder,
      });
  }
}

function sourceProblems(source: string | undefined): Phrase[] {
  const problem = source === undefined ? undefined : providerAddressProblem(source);
  if (!problem) return [];
  return [
    phrase`VaultadminInstallation: ${property('source')} is ${problem.received ?? ''}; allowed:
      ${problem.allowed ?? ''}; ${problem.cure}`,
  ];
}

function executablesProblems(executables: readonly string[] | undefined): Phrase[] {
  const allowed = Object.values(ProviderPlatform);
  const wrong = executables?.filter((platform) => !(allowed as readonly string[]).includes(platform));
  if (executables?.length === 0) {
    return [
      phrase`VaultadminInstallation: ${property('executables')} is empty; allowed: one or more of
        ${literals(allowed)}; leave it out to place the form for Node.js`,
    ];
  }
  return (wrong ?? []).map(
    (platform) =>
      phrase`VaultadminInstallation: ${property('executables')} has ${literal(platform)}; allowed:
        ${literals(allowed)}; write one of these`,
  );
}

function combinationProblems(props: VaultadminInstallationProps): Phrase[] {
  const { source, executables, executablesFolder } = props;
  const both =
    source !== undefined && executables !== undefined
      ? [
          phrase`VaultadminInstallation: ${property('source')} and ${property('executables')} are both given; allowed:
            one of the two; leave out ${property('executables')} to have Terraform install the provider`,
        ]
      : [];
  const folderAlone =
    executablesFolder !== undefined && executables === undefined
      ? [
          phrase`VaultadminInstallation: ${property('executablesFolder')} is given without
            ${property('executables')}; allowed: both; name the platforms in ${property('executables')}`,
        ]
      : [];
  return [...both, ...folderAlone];
}
