import { isRecord, trimmed } from '../../../text';

/** The values of a mount, as servers return and resources declare them. */
interface MountValues {
  readonly type?: unknown;
  readonly options?: unknown;
}

/**
 * Returns the kinds of mounts by path: KV engines with their version, others by their type. A mount
 * whose kind is ambiguous is left out.
 */
export function mountKinds(
  mounts: readonly (readonly [path: unknown, mount: MountValues])[],
): ReadonlyMap<string, string> {
  const kinds = new Map<string, string>();
  for (const [path, mount] of mounts) {
    const kind = kindOf(mount);
    if (typeof path === 'string' && kind !== undefined) kinds.set(trimmed(path, '/'), kind);
  }
  return kinds;
}

function kindOf({ type, options }: MountValues): string | undefined {
  if (type === 'kv-v2') return 'kv-2';
  if (typeof type !== 'string' || type.includes('${')) return undefined;
  if (type !== 'kv') return type;
  const version: unknown = isRecord(options) ? (options['version'] ?? '1') : '1';
  return version === '1' || version === '2' ? `kv-${version}` : undefined;
}
