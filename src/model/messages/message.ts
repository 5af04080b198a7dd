import type { Phrase } from './phrase';

/** A message to a person. The order of the members is the order in which they are read. */
export interface Message {
  /** The object, and what happened to it. */
  readonly summary: Phrase;
  /** The reasons: whole sentences or lists, one or more lines each. */
  readonly details?: Lines;
  readonly received?: Phrase;
  readonly allowed?: Phrase;
  /** Facts that are true independently of the reason. */
  readonly claims?: readonly Claim[];
  /** The advice: steps in their order, or alternatives, each in one line. */
  readonly cures?: Lines;
  /** Whole lines that are read after everything else, such as the present state of all clusters. */
  readonly appendix?: Phrase;
}

/** One line, or several. */
type Lines = Phrase | readonly Phrase[];

export function linesOf(lines: Lines = []): readonly Phrase[] {
  return typeof lines === 'string' || 'kind' in lines ? [lines] : lines;
}

/**
 * A fact that a message asserts. It is a whole sentence, so that it never depends on the text
 * around it.
 */
export type Claim = keyof typeof CLAIMS;

export const CLAIMS = {
  'nothing-changed': 'Nothing was changed.',
} as const;
