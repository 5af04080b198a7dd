import { isOlder } from '../versions';

/**
 * The first patch of each minor version in which `update-primary` loses no data. Earlier minor
 * versions were not fixed.
 */
const MENDED = { '1.11': '1.11.12', '1.12': '1.12.9', '1.13': '1.13.5', '1.14': '1.14.1' } as const;

/**
 * Whether `update-primary` may lose data of a secondary of this version. HashiCorp's known issue
 * "update-primary data loss" describes two cases: data of an `allow` filter is lost unnoticed, or
 * the merkle tree is lost if shared mounts contain local data.
 *
 * @param version as in `sys/health`: `1.13.4+ent`.
 */
export function mayLoseDataByUpdatePrimary(version: string): boolean {
  const minor = version.split('.').slice(0, 2).join('.');
  const mended = Object.entries(MENDED).find(([each]) => each === minor)?.[1];
  return mended === undefined ? isOlder(version, '1.11') : isOlder(version, mended);
}
