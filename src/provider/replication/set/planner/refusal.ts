import type { Path } from '../../../../plugin';

/** Why nothing is done, for people: where in the configuration, what is wrong, and what to do about it. */
export interface Refusal {
  readonly path: Path;
  readonly summary: string;
  readonly detail: string;
}
