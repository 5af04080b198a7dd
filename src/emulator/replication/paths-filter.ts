import { type FilterMode, UNFILTERABLE_MOUNT_TYPES, normalizeFilterPath } from '../../model';
import type { MountEntry, Namespace } from '../core/backend';
import { ROOT_NAMESPACE } from '../core/stores/namespace-store';
import type { Storage } from '../core/primitives/storage';
import type { PathsFilter } from './record';

/** Determines which of the existing mounts and namespaces a filter withholds from a secondary. */
export class FilteredView {
  /** The full paths, sorted. */
  readonly mountPaths: readonly string[];
  readonly namespacePaths: readonly string[];
  readonly mode: FilterMode;
  readonly #mountIds: ReadonlySet<string>;
  readonly #namespaceIds: ReadonlySet<string>;

  constructor(storage: Storage, filter: PathsFilter) {
    this.mode = filter.mode;
    const decide = DECISIONS[filter.mode](new Set(filter.paths.map(normalizeFilterPath)));
    const namespaces = [ROOT_NAMESPACE, ...valuesBelow<Namespace>(storage, 'core/namespaces/')];
    const paths = new Map(namespaces.map(({ id, path }) => [id, path]));
    const withheldNamespaces = namespaces.filter(({ path }) => path !== '' && !decide.namespace(path));
    this.#namespaceIds = new Set(withheldNamespaces.map(({ id }) => id));
    this.namespacePaths = withheldNamespaces.map(({ path }) => path).sort();

    const mounts = valuesBelow<MountEntry>(storage, 'core/mounts/').filter(({ local }) => !local);
    const pathOf = (mount: MountEntry) => `${paths.get(mount.namespaceId) ?? ''}${mount.path}`;
    const withheldMounts = mounts.filter(
      (mount) =>
        this.#namespaceIds.has(mount.namespaceId) || (isFilterable(mount) && !decide.mount(pathOf(mount))),
    );
    this.#mountIds = new Set(withheldMounts.map(({ uuid }) => uuid));
    this.mountPaths = withheldMounts.filter(isFilterable).map(pathOf).sort();
  }

  /** Whether the secondary receives the value of a key. */
  keeps(key: string): boolean {
    const [area = '', second = '', third = '', fourth = ''] = key.split('/', 4);
    if (area === 'logical') return !this.#mountIds.has(second);
    return !this.#namespaceIds.has(third) && !(second === 'mounts' && this.#mountIds.has(fourth));
  }
}

/** Whether a change of this key can change which data a filter withholds. */
export function movesFilter(key: string): boolean {
  return key.startsWith('core/mounts/') || key.startsWith('core/namespaces/');
}

/** Decides whether the secondary receives the namespace or the mount at a full path. */
interface Decision {
  namespace(path: string): boolean;
  mount(path: string): boolean;
}

const DECISIONS: Readonly<Record<FilterMode, (listed: ReadonlySet<string>) => Decision>> = {
  deny: (listed) => {
    const gets = (path: string) => !isWithin(path, listed);
    return { namespace: gets, mount: gets };
  },
  allow: (listed) => ({
    // A namespace is also needed if something in it is listed.
    namespace: (path) => isWithin(path, listed) || [...listed].some((each) => each.startsWith(path)),
    mount: (path) => isWithin(path, listed),
  }),
};

/** Whether a path or one of its parent namespaces is listed. */
function isWithin(path: string, listed: ReadonlySet<string>): boolean {
  for (let slash = path.indexOf('/'); slash >= 0; slash = path.indexOf('/', slash + 1)) {
    if (listed.has(path.slice(0, slash + 1))) return true;
  }
  return false;
}

function isFilterable({ type }: MountEntry): boolean {
  return !UNFILTERABLE_MOUNT_TYPES.includes(type.replace(/^ns_/, ''));
}

function valuesBelow<T>(storage: Storage, prefix: string): T[] {
  return storage.keys(prefix).flatMap((key) => storage.get<T>(prefix + key) ?? []);
}
