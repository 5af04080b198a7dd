/** The state of a part, which determines its color. */
export type Tone = 'plain' | 'faint' | 'good' | 'changed' | 'doubtful' | 'bad';

export interface Line {
  readonly text: string;
  readonly tone: Tone;
}

export interface Box {
  /** The id, unique in the picture: letters, digits and `_`. */
  readonly id: string;
  readonly title: string;
  readonly lines: readonly Line[];
  readonly tone: Tone;
  /** Whether only other clusters report it: its border is dashed. */
  readonly isReported?: boolean;
}

export interface Arrow {
  /** The ids of two boxes in the same group. */
  readonly from: string;
  readonly to: string;
  readonly lines: readonly Line[];
  readonly tone: Tone;
}

/** Boxes that belong together, such as a replication set. */
export interface BoxGroup {
  readonly title: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /**
   * Whether the boxes are a sequence, one below the other. Otherwise, arrows lead from one column
   * to the next.
   */
  readonly isSequence?: boolean;
  /** Whether an arrow leads from the previous group to this one. */
  readonly isNext?: boolean;
}

/** A picture as data, independent of how it is drawn. */
export interface Picture {
  /** The description for people who cannot see the picture. */
  readonly title: string;
  readonly groups: readonly BoxGroup[];
}
