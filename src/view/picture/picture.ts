/** How something is: what its color says. */
export type Tone = 'plain' | 'faint' | 'good' | 'changed' | 'doubtful' | 'bad';

export interface Line {
  readonly text: string;
  readonly tone: Tone;
}

export interface Box {
  /** Unique in the picture: letters, digits and `_`. */
  readonly id: string;
  readonly title: string;
  readonly lines: readonly Line[];
  readonly tone: Tone;
  /** Whether only others report it: its border is dashed. */
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
export interface Group {
  readonly title: string;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** Whether the boxes are in a sequence, one below the other. Otherwise, arrows lead from one column to the next. */
  readonly isSequence?: boolean;
  /** Whether the group before leads to it. */
  readonly isNext?: boolean;
}

/** A picture as data: what is drawn, and not how. */
export interface Picture {
  /** For people who cannot see it. */
  readonly title: string;
  readonly groups: readonly Group[];
}
