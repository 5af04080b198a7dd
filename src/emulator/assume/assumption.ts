/** Something that Vault's public sources leave open, and what a server may do. */
export interface Assumption {
  /** The open question. */
  readonly open: string;
  /** By name. The first is the default. */
  readonly alternatives: Readonly<Record<string, Alternative>>;
}

export interface Alternative {
  /** The behavior, as shown in the documentation. */
  readonly says: string;
  /** The value that the code uses: a status, a text, a version. */
  readonly [value: string]: unknown;
}

/** A refusal whose status and text are not public. */
export interface RefusalAssumption<Args extends readonly unknown[]> extends Assumption {
  readonly alternatives: Readonly<Record<'explained' | 'curt' | 'internal-error', RefusalWords<Args>>>;
}

export interface RefusalWords<Args extends readonly unknown[]> extends Alternative {
  readonly status: number;
  readonly text: (...args: Args) => string;
}

/**
 * A refusal whose status and text are open: as the emulator words it, in words that say nothing, or as an error of the server.
 *
 * @param says describes the emulator's response, after its status.
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
