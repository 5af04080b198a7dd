import type { Phrase } from './phrase';

/** A message to a person. The order of the members is the order in which they are read. */
export interface Message {
  /** The object, and what happened to it. */
  readonly summary: Phrase;
  /** Why, one sentence or paragraph each. */
  readonly details?: readonly Phrase[];
  readonly received?: Phrase;
  readonly allowed?: Phrase;
  /** Facts that hold independently of the reason. */
  readonly claims?: readonly Claim[];
  /** The advice, one sentence each: steps in their order, or alternatives. */
  readonly cures?: readonly Phrase[];
}

/** A fact that a message asserts. It is a whole sentence, so that it never depends on the text around it. */
export type Claim = keyof typeof CLAIMS;

export const CLAIMS = {
  'nothing-changed': 'Nothing was changed.',
} as const;
