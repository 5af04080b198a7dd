import type { TokenEntry } from '../backend';
import type { MountTable } from '../routing/mounts';
import type { NamespaceStore } from './namespaces';
import type { Storage } from '../primitives/storage';

/** The storage that belongs to single tokens and ends with them: folders of the `cubbyhole/` mount. */
export class Cubbyholes {
  readonly #mounts: MountTable;
  readonly #namespaces: NamespaceStore;

  constructor(mounts: MountTable, namespaces: NamespaceStore) {
    this.#mounts = mounts;
    this.#namespaces = namespaces;
  }

  /** Absent for tokens whose namespace is gone. */
  of(token: TokenEntry): Storage | undefined {
    const namespace = this.#namespaces.byId(token.namespaceId);
    const mounted = namespace && this.#mounts.get(namespace, 'cubbyhole/');
    return mounted?.context.storage.view(`${token.accessor}/`);
  }

  destroy(token: TokenEntry): void {
    this.of(token)?.clear('');
  }
}
