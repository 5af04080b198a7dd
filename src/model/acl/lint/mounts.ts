import { firstNames } from './endpoints';

/** The kind of a mount: `kv-2`, `kv-1`, or the type of another engine. */
export type MountKind = string;

/** The mounts whose kind is known. */
export interface Mounts {
  /** The kinds by the path of the mount, without outer slashes. */
  readonly kinds: ReadonlyMap<string, MountKind>;
  /** The most segments that a path in `kinds` has. */
  readonly deepest: number;
}

/** The mounts that every server has, and that have no type of their own. */
export const BUILT_IN: readonly string[] = ['sys', 'auth', 'identity', 'cubbyhole'];
/** The folders of a KV 2 mount. No other folder exists below it. */
export const KV2_PATHS: readonly string[] = firstNames('kv-2');
/** The kinds of mounts by their usual paths, such as `secret`. */
const USUAL_KINDS: Readonly<Record<string, MountKind>> = {
  'auth/approle': 'approle',
  'auth/aws': 'auth-aws',
  'auth/jwt': 'jwt',
  'auth/kubernetes': 'auth-kubernetes',
  'auth/userpass': 'userpass',
};
/** The kinds of mounts that every server has. */
const FIXED_KINDS: Readonly<Record<string, MountKind>> = {
  sys: 'sys',
  identity: 'identity',
  'auth/token': 'token',
};
const USUAL_KV_NAMES = /^(secrets?|kv|kv2|kv-?v2)$/;
const USUAL_NAMES: readonly (readonly [RegExp, MountKind])[] = [
  [/^(.+[-_])?pki([-_].+)?$/, 'pki'],
  [/^transit$/, 'transit'],
  [/^database$/, 'database'],
  [/^aws$/, 'aws'],
];
/** Only PKI mounts have both of these folders. An SSH mount may have one of them. */
const FOLDERS_OF_CERTIFICATES = ['issue', 'sign'];
/**
 * The ends of paths that belong to one kind of mount only, after one or two segments of the mount.
 */
const ENDS: readonly (readonly [RegExp, MountKind])[] = [
  [/^(?:root|intermediate|issuers)\/generate\//, 'pki'],
  [/^(?:root\/sign-intermediate|intermediate\/set-signed)$/, 'pki'],
  [/^datakey\/(?:plaintext|wrapped)\//, 'transit'],
  [/^keys\/[^/]+\/(?:rotate|trim)$/, 'transit'],
];
/** The ends of paths that belong to one kind of auth method only. */
const ENDS_OF_AUTH: readonly (readonly [RegExp, MountKind])[] = [
  [/^role\/[^/]+\/(?:role-id|secret-id|custom-secret-id)(?:[/*]|$)/, 'approle'],
  [/^users\/[^/]+\/(?:password|policies)$/, 'userpass'],
  [/^oidc\/(?:auth_url|callback)$/, 'jwt'],
];
const DEEPEST_MOUNT = 4;

/**
 * Returns the kinds of the mounts that the rules of a policy name. A known kind takes precedence; a
 * mount whose kind is not certain is left out.
 *
 * @param known the kinds of mounts by their paths, without outer slashes.
 */
export function mountsIn(
  paths: readonly string[],
  known: ReadonlyMap<string, MountKind> = new Map(),
): Mounts {
  const found = new Map<string, MountKind>(Object.entries(USUAL_KINDS));
  for (const path of paths) {
    const first = path.split('/')[0]!;
    for (const [name, kind] of USUAL_NAMES) if (name.test(first)) found.set(first, kind);
  }
  for (const [mount, names] of mountsWith(FOLDERS_OF_CERTIFICATES, paths)) {
    if (names.size === FOLDERS_OF_CERTIFICATES.length) found.set(mount, 'pki');
  }
  for (const path of paths) {
    const shown = mountShownBy(path);
    if (shown) found.set(...shown);
  }
  const ofBothVersions = mountsOfBothVersions(paths);
  for (const [mount, names] of mountsWith(KV2_PATHS, paths)) {
    const name = mount.split('/').at(-1)!;
    const isUsual = USUAL_KV_NAMES.test(name);
    if (!isUsual && hasOtherFolders(mount, paths)) continue;
    const isClear = names.has('data') ? names.size > 1 || isUsual : isOfVersions(names);
    if (isClear && !ofBothVersions.has(mount)) found.set(mount, 'kv-2');
  }
  for (const [mount, kind] of [...known, ...Object.entries(FIXED_KINDS)]) found.set(mount, kind);
  const depths = Array.from(found.keys(), (mount) => mount.split('/').length);
  return { kinds: found, deepest: depths.reduce((most, depth) => Math.max(most, depth), 0) };
}

/**
 * Whether a mount has several folders that KV 2 does not have: it may belong to a plugin that
 * resembles KV 2.
 */
function hasOtherFolders(mount: string, paths: readonly string[]): boolean {
  const below = paths.flatMap((path) =>
    path.startsWith(`${mount}/`) ? [path.slice(mount.length + 1).split('/')[0]!] : [],
  );
  return new Set(below.filter((name) => /^[\w-]+$/.test(name) && !KV2_PATHS.includes(name))).size > 1;
}

/**
 * Whether the folders of a mount are certainly those of KV 2: `metadata`, and one that deletes or
 * restores versions.
 */
function isOfVersions(names: ReadonlySet<string>): boolean {
  return names.has('metadata') && ['delete', 'undelete', 'destroy'].some((each) => names.has(each));
}

/** Returns the mount whose kind a path shows by its end. */
function mountShownBy(path: string): readonly [string, MountKind] | undefined {
  const segments = path.split('/');
  const isAuth = segments[0] === 'auth';
  if (!isAuth && BUILT_IN.includes(segments[0]!)) return undefined;
  const first = isAuth ? 2 : 1;
  for (const length of [first, first + 1]) {
    const mount = segments.slice(0, length);
    // The mount is not certain: a "+" may be any mount, and secrets of KV 2 may have any names.
    if (mount.includes('+') || mount.some((each) => KV2_PATHS.includes(each))) return undefined;
    const rest = segments.slice(length).join('/');
    const end = (isAuth ? ENDS_OF_AUTH : ENDS).find(([pattern]) => pattern.test(rest));
    if (end) return [mount.join('/'), end[1]];
  }
  return undefined;
}

/**
 * Returns possible mounts: the beginnings of paths before certain folders, with the folders that
 * follow each.
 */
function mountsWith(
  folders: readonly string[],
  paths: readonly string[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const found = new Map<string, Set<string>>();
  for (const path of paths) {
    const segments = path.split('/');
    if (BUILT_IN.includes(segments[0]!)) continue;
    const end = segments.findIndex(
      (segment, index) => index > 0 && index <= DEEPEST_MOUNT && folders.includes(segment),
    );
    // A "+" may stand for any mount, and also for a namespace before sys/.
    if (end < 0 || end === segments.length - 1 || segments.slice(0, end).includes('+')) continue;
    const mount = segments.slice(0, end).join('/');
    found.set(mount, (found.get(mount) ?? new Set()).add(segments[end]!));
  }
  return found;
}

/**
 * Returns the mounts for which rules name the same secret as in both versions of KV: `kv/app` and
 * `kv/data/app`.
 */
function mountsOfBothVersions(paths: readonly string[]): ReadonlySet<string> {
  const all = new Set(paths);
  const found = new Set<string>();
  for (const path of paths) {
    const segments = path.split('/');
    for (let end = 1; end <= DEEPEST_MOUNT; end++) {
      if (segments[end] !== 'data') continue;
      const mount = segments.slice(0, end).join('/');
      const rest = segments.slice(end + 1).join('/');
      if (rest !== '' && rest !== '*' && all.has(`${mount}/${rest}`)) found.add(mount);
    }
  }
  return found;
}

/** Returns the known mount that a path is on, and the rest of the path. */
export function mountOf(
  path: string,
  { kinds, deepest }: Mounts,
): { readonly mount: string; readonly kind: MountKind; readonly rest: string } | undefined {
  const segments = path.split('/');
  for (let length = Math.min(segments.length - 1, deepest); length > 0; length--) {
    const mount = segments.slice(0, length).join('/');
    const kind = kinds.get(mount);
    if (kind !== undefined) return { mount, kind, rest: segments.slice(length).join('/') };
  }
  return undefined;
}

/** Whether all requests for a path are for secrets of KV version 2, below `data/`. */
export function isKv2Data(path: string, mounts: Mounts): boolean {
  const found = mountOf(path, mounts);
  return found?.kind === 'kv-2' && /^data(\/|$)/.test(found.rest);
}
