import type { TokenEntry } from '../backend';
import type { MountTable } from '../routing/mounts';
import type { NamespaceStore } from './namespace-store';
import type { Storage } from '../primitives/storage';

/** The storage of single tokens, which is deleted with them: folders of the `cubbyhole/` mount. */
export class Cubbyholes {
  readonly #mounts: MountTable;
  readonly #namespaces: NamespaceStore;

  constructor(mounts: MountTable, namespaces: NamespaceStore) {
    this.#mounts = mounts;
    this.#namespaces = namespaces;
  }

  /** Returns the storage of a token; `undefined` if its namespace was deleted. */
  of(token: TokenEntry): Storage | undefined {
    const namespace = this.#namespaces.byId(token.namespaceId);
    const mounted = namespace && this.#mounts.get(namespace, 'cubbyhole/');
    return mounted?.context.storage.view(`${token.accessor}/`);
  }

  destroy(token: TokenEntry): void {
    this.of(token)?.clear('');
  }
}
