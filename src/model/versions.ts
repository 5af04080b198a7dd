/** The oldest Node.js that runs the provider and everything else here. */
export const OLDEST_NODE = '20.18';

/**
 * The oldest Terraform, and the oldest OpenTofu: the first with write-only arguments and ephemeral
 * resources, which keep secrets out of plans and states.
 */
export const OLDEST_TERRAFORM = '1.11';

/** The version of the server that is assumed if it is not known. */
export const ASSUMED_SERVER_VERSION = '1.21.0';

/**
 * Whether `version` comes before all versions that begin with `oldest`. For a text that is not a
 * version, such as `dev`, returns `false`.
 *
 * @param version such as `1.10.5`, `1.11.0-beta1` or `1.21.0+ent`.
 * @param oldest major and minor version, perhaps with a patch: `1.11` or `2.0.3`.
 */
export function isOlder(version: string, oldest: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => parseInt(part, 10));
  const [oldestMajor = 0, oldestMinor = 0, oldestPatch = 0] = oldest.split('.').map(Number);
  if (major !== oldestMajor) return major < oldestMajor;
  return minor === oldestMinor ? patch < oldestPatch : minor < oldestMinor;
}

/**
 * Whether a server has the enterprise features.
 *
 * @param version as in `sys/health`: `1.21.0+ent`.
 */
export function isEnterprise(version: string): boolean {
  return version.includes('+ent');
}
