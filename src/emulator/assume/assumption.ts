/** A behavior that Vault's public sources leave open, with the possible behaviors of a server. */
export interface Assumption {
  /** The open question. */
  readonly open: string;
  /** The possible behaviors by name. The first is the default. */
  readonly alternatives: Readonly<Record<string, Alternative>>;
}

export interface Alternative {
  /** The description of the behavior for the documentation. */
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
 * Creates the assumption for a refusal whose status and text are not public. Its alternatives are
 * the emulator's own text, a text without details, and an internal error of the server.
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

/** The first version of the server with a behavior. */
export type Since = readonly [major: number, minor: number];

/** A version that no server reaches. */
export const NEVER: Since = [Infinity, 0];
