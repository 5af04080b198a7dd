/**
 * Whether a server has what this interface is about, beyond ACL policies.
 *
 * @param version as in `sys/health`: `1.21.0+ent`.
 */
export function isEnterprise(version: string): boolean {
  return version.includes('+ent');
}
