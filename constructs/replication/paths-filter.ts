import { brand } from '../private/brand';
import type { FilterMode } from '../../src/model';
import { checkProps, list } from '../private/expectations';
import { isUnknown } from '../private/known';
import type { LateProp } from '../private/late-values';
import { STRING_PROPS } from '../private/string-props';

const PATHS = {
  ...list('a list of paths', "'us-only/'"),
  accepts: (value: unknown) => Array.isArray(value) && !value.includes(undefined),
};

/**
 * The mounts and namespaces that a secondary receives.
 *
 * Paths are those on the primary: `secret/`, `auth/approle/`, `team-a/` for a namespace,
 * `team-a/secret/` for a mount in it. A value that only Terraform knows is one or more whole
 * segments, or a part of one, unless it comes from `LateValue.trust`.
 */
export class PathsFilter {
  /** The secondary receives only these mounts. */
  public static allow(paths: string[]): PathsFilter {
    checkProps('PathsFilter.allow', { paths }, { paths: PATHS });
    return new PathsFilter('allow', paths, []);
  }

  /** The secondary receives everything except these mounts and namespaces. */
  public static deny(paths: string[]): PathsFilter {
    checkProps('PathsFilter.deny', { paths }, { paths: PATHS });
    return new PathsFilter('deny', paths, []);
  }

  private constructor(
    /** @internal */
    public readonly _mode: FilterMode,
    /** @internal */
    public readonly _paths: readonly string[],
    /** @internal */
    public readonly _wholeNamespaces: readonly string[],
  ) {
    brand(this, 'PathsFilter');
  }

  /**
   * The paths that only Terraform knows.
   *
   * @internal
   */
  public get _late(): readonly LateProp[] {
    const value = [...this._paths];
    return isUnknown(value)
      ? [{ name: 'pathsFilter', rule: STRING_PROPS['PathsFilter.allow(paths)'], value }]
      : [];
  }

  /**
   * Returns this filter with a confirmation to send these namespaces with everything in them, now
   * and later. Without it, a namespace that the app declares and the filter does not restrict is an
   * error at synthesis.
   */
  public sendingWholeNamespaces(namespaces: string[]): PathsFilter {
    return new PathsFilter(this._mode, this._paths, [...this._wholeNamespaces, ...namespaces]);
  }
}
