/** Something that Vault's public sources leave open, and what a server may do. */
export interface Assumption {
  /** What is not known. */
  readonly open: string;
  /** By name. The emulator does the first, unless it is told otherwise. */
  readonly alternatives: Readonly<Record<string, Alternative>>;
}

export interface Alternative {
  /** What the server does, as documentation says it. */
  readonly says: string;
  /** What the code takes from here: a status, a text, a version. */
  readonly [value: string]: unknown;
}

/** A refusal of which neither status nor text is public. */
export interface RefusalAssumption<Args extends readonly unknown[]> extends Assumption {
  readonly alternatives: Readonly<Record<'explained' | 'curt' | 'internal-error', RefusalWords<Args>>>;
}

export interface RefusalWords<Args extends readonly unknown[]> extends Alternative {
  readonly status: number;
  readonly text: (...args: Args) => string;
}

/**
 * A refusal whose status and text are open: as the emulator words it, in words that say nothing, or as an error of the
 * server.
 *
 * @param says what the emulator does, to follow its status.
 */
export function refusal<const Args extends readonly unknown[]>(
  open: string,
  says: string,
  text: (...args: Args) => string,
  status = 400,
): RefusalAssumption<Args> {
  return {
    open,
    alternatives: {
      explained: { says: `${status} ${says}`, status, text },
      curt: {
        says: `${status} with the text \`invalid request\`.`,
        status,
        text: () => 'invalid request',
      },
      'internal-error': {
        says: '500 with the text `internal error`. Nothing is changed.',
        status: 500,
        text: () => 'internal error',
      },
    },
  };
}

/** The first version that does something. */
export type Since = readonly [major: number, minor: number];

/** Later than any version that there is. */
export const NEVER: Since = [Infinity, 0];
