import type { World } from '../planner';
import type { Fleet } from './fleet';
import type { SetSettings } from './settings';

/** What a step is taken with. */
export interface Surroundings {
  readonly fleet: Fleet;
  readonly settings: SetSettings;
  /** What the clusters are now. */
  readonly world: World;
  /** The primaries that have stepped down in this apply. */
  readonly steppedDown: ReadonlySet<string>;
  /** The clusters that this apply has promoted, or may have: the answer got lost. */
  readonly promoted: Set<string>;
}
