/**
 * Whether `version` comes before all versions that `oldest` begins. What is no version, such as `dev`, does not.
 *
 * @param version such as `1.10.5`, `1.11.0-beta1` or `1.21.0+ent`.
 * @param oldest major and minor version: `1.11`.
 */
export function isOlder(version: string, oldest: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map((part) => parseInt(part, 10));
  const [oldestMajor = 0, oldestMinor = 0] = oldest.split('.').map(Number);
  return major < oldestMajor || (major === oldestMajor && minor < oldestMinor);
}
