import type { FilterMode } from '../../src/model';

/**
 * Which mounts and namespaces a secondary gets. Interface section 2.4.
 *
 * Paths are those of the primary: `secret/`, `auth/approle/`, `team-a/` for a namespace, `team-a/secret/` for a mount in
 * it.
 */
export class PathsFilter {
  /** The secondary gets these mounts, and no others. */
  public static allow(paths: string[]): PathsFilter {
    return new PathsFilter('allow', paths, []);
  }

  /** The secondary gets all but these mounts and namespaces. */
  public static deny(paths: string[]): PathsFilter {
    return new PathsFilter('deny', paths, []);
  }

  private constructor(
    /** @internal */
    public readonly _mode: FilterMode,
    /** @internal */
    public readonly _paths: readonly string[],
    /** @internal */
    public readonly _wholeNamespaces: readonly string[],
  ) {}

  /**
   * The same filter, with the word that these namespaces are meant to be sent with all that is in them, now and later.
   * Without it, a namespace that the app declares and the filter does not restrict is an error at synthesis.
   */
  public sendingWholeNamespaces(namespaces: string[]): PathsFilter {
    return new PathsFilter(this._mode, this._paths, [...this._wholeNamespaces, ...namespaces]);
  }
}
