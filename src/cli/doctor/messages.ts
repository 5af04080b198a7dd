import { formatDuration } from '../../model';
import { OLDEST_NODE, OLDEST_TERRAFORM } from '../../model/versions';
import { PROVIDER_VERSION } from '../../provider/about';

/** The finding, and its cure. */
type Finding = readonly [text: string, cure: string];

const SYNTHESIZE_AGAIN = 'synthesize the app again, with the version of cdktf-vault-admin that is installed';

export function nodeNotFound(): Finding {
  return ['"node" was not found in the PATH', INSTALL_NODE];
}

export function nodeTooOld(version: string): Finding {
  return [`${version} is too old`, INSTALL_NODE];
}

const INSTALL_NODE = `install Node.js ${OLDEST_NODE} or newer, and make sure that "node" is in the PATH of Terraform`;

export function terraformNotFound(candidates: readonly string[]): Finding {
  return [`not found (looked for: ${candidates.join(', ')})`, INSTALL_TERRAFORM];
}

export function terraformTooOld(binary: string, version: string): Finding {
  return [`${binary} ${version} is too old: it has no write-only arguments`, INSTALL_TERRAFORM];
}

const INSTALL_TERRAFORM =
  `install Terraform ${OLDEST_TERRAFORM} or newer (https://developer.hashicorp.com/terraform/install), or OpenTofu ` +
  `${OLDEST_TERRAFORM} or newer (https://opentofu.org/docs/intro/install), or set TERRAFORM_BINARY_NAME to its path`;

export function settingsFileMissing(file: string): Finding {
  return [`TF_CLI_CONFIG_FILE is ${file}, which does not exist`, 'unset it, or correct the path'];
}

export function noStacks(output: string): Finding {
  return [
    `no stacks found in ${output}: their requirements could not be determined`,
    'synthesize the app, or set --stacks to its output folder',
  ];
}

export function providerMissing(): Finding {
  return [`provider ${PROVIDER_VERSION} is missing in its folder`, SYNTHESIZE_AGAIN];
}

export function providerNotLocked(): Finding {
  return [`its .terraform.lock.hcl does not lock provider ${PROVIDER_VERSION}`, SYNTHESIZE_AGAIN];
}

export function otherBuildLocked(): Finding {
  return [
    'its .terraform.lock.hcl locks a different build of the provider than the one in its folder',
    SYNTHESIZE_AGAIN,
  ];
}

/**
 * @param versions the versions that the stack was initialized with; empty for another build of this
 *   version.
 */
export function initializedWithOther(versions: readonly string[], folder: string): Finding {
  const before =
    versions.length === 0 ? 'a different build of the provider' : `provider ${versions.join(', ')}`;
  return [
    `its .terraform folder belongs to ${before}, so terraform refuses to plan`,
    `run "terraform init" in ${folder}; cdktf-cli does so itself`,
  ];
}

/** @param prefix the prefix of the cluster's environment variables. */
export function noAddress(prefix: string): Finding {
  return ['no address is configured: assuming a server on this machine', `set ${prefix}ADDR`];
}

export function notInitialized(address: string): Finding {
  return [`${address} is not initialized`, 'run vault operator init'];
}

export function isSealed(address: string): Finding {
  return [`${address} is sealed`, 'run vault operator unseal'];
}

/** @param seconds the difference between the two clocks. */
export function clockDiffers(seconds: number): Finding {
  return [
    `its clock differs from this machine's by ${formatDuration(Math.round(seconds))}`,
    'synchronize both with a time server',
  ];
}

const OPEN_SERVER = 'it is not an Enterprise server';

/** @param enterprise the types of resources in the stacks that require the Enterprise edition. */
export function stacksRequireEnterprise(enterprise: readonly string[]): Finding {
  return [
    `${OPEN_SERVER}, and does not support ${enterprise.join(', ')} of the stacks`,
    'remove them from the stacks, or use another cluster',
  ];
}

export function notEnterprise(): Finding {
  return [
    `${OPEN_SERVER}: it supports only ACL policies and audit devices, not managed keys, RGP and EGP policies, ` +
      'replication or automated snapshots',
    'use only these on it, or use an Enterprise cluster',
  ];
}

/** @param prefix the prefix of the cluster's environment variables. */
export function noToken(prefix: string): Finding {
  return [
    'no token is configured: its permissions could not be checked',
    `set ${prefix}TOKEN, or configure a login in the provider's configuration (auth_login)`,
  ];
}

/** @param source the source of the token. */
export function tokenNotKnown(source: string): string {
  return `its token is from ${source}: set a token there that this server knows`;
}

/** @param prefix the prefix of the cluster's environment variables. */
export function requestFailed(prefix: string): string {
  return `correct the cause that is named here; the settings of the cluster are ${prefix}ADDR and so on, or in the provider's configuration`;
}

export const CORRECT_SETTING = 'correct the setting';

/**
 * Does not say that the token is known, because older servers return the same error for an unknown
 * token.
 *
 * @param source the source of the token.
 */
export function expiryUnknown(source: string | undefined): Finding {
  const wrong =
    source === undefined
      ? ''
      : `if the token from ${source} is that of another server, replace it; otherwise `;
  return [
    'its token may not look itself up, so its expiry could not be determined',
    `${wrong}${grant('auth/token/lookup-self', ['read'])}`,
  ];
}

export function describeToken(name: string, policies: readonly string[]): string {
  return `its token is "${name}", with ${policies.join(', ')}`;
}

/** @param ttl the remaining TTL in seconds. */
export function tokenExpires(name: string, policies: readonly string[], ttl: number): Finding {
  return [
    `${describeToken(name, policies)}, and expires in ${formatDuration(ttl)}`,
    'renew it, or use another token',
  ];
}

/** @param path the path to grant, relative to the namespace of the token. */
export function permissionsUnknown(namespace: string, path: string): Finding {
  return [
    `its token may not query its capabilities${inNamespace(namespace)}, so its permissions could not be checked`,
    grant(path, ['update']),
  ];
}

export function namespaceMissing(namespace: string): Finding {
  return [
    `namespace ${JSON.stringify(namespace)} does not exist, so the permissions in it could not be checked`,
    'create it before the stacks that use it, or correct its name there',
  ];
}

/**
 * @param missing the capabilities that the token lacks.
 * @param required all capabilities that it needs on the path.
 * @param pathToGrant the path, relative to the namespace of the token.
 */
export function tokenLacks(
  missing: readonly string[],
  path: string,
  namespace: string,
  required: readonly string[],
  pathToGrant: string,
): Finding {
  return [
    `its token lacks ${missing.join(', ')} on ${path}${inNamespace(namespace)}`,
    grant(pathToGrant, required),
  ];
}

function grant(path: string, capabilities: readonly string[]): string {
  return `add to one of its policies: path "${path}" { capabilities = ${JSON.stringify(capabilities)} }`;
}

function inNamespace(namespace: string): string {
  return namespace === '' ? '' : ` in namespace ${JSON.stringify(namespace)}`;
}
