import type { Alternative, Assumption } from './assumption';

/**
 * Values that were measured on a server that follows none of the alternatives. They replace values
 * of the first alternative.
 */
export interface Measured {
  readonly status?: number;
  /**
   * The measured text. `{0}`, `{1}` and so on are replaced with the details of the refused request.
   */
  readonly text?: string;
  readonly ms?: number;
}

const KINDS = { status: 'number', text: 'string', ms: 'number' } as const;

/** Returns the first alternative with the measured values in place of its own. */
export function withMeasured(assumption: Assumption, { text, ...numbers }: Measured): Alternative {
  const first = firstAlternative(assumption);
  if (text === undefined) return { ...first, ...numbers };
  return { ...first, ...numbers, text: (...about: readonly unknown[]) => filledIn(text, about) };
}

/**
 * Checks measured values.
 *
 * @throws RangeError if the assumption does not have one of the values.
 */
export function checkMeasured(name: string, assumption: Assumption, measured: object): Measured {
  const first = firstAlternative(assumption);
  const allowed = Object.entries(KINDS).filter(([value]) => Object.hasOwn(first, value));
  for (const [value, given] of Object.entries(measured)) {
    if (allowed.some(([each, kind]) => each === value && typeof given === kind)) continue;
    const shown = allowed.map(([each, kind]) => `${each} (a ${kind})`).join(', ');
    throw new RangeError(
      `assumption "${name}" has no ${JSON.stringify({ [value]: given as unknown })}; allowed are ${shown || 'only the names of its alternatives'}`,
    );
  }
  return measured;
}

function firstAlternative({ alternatives }: Assumption): Alternative {
  return Object.values(alternatives)[0] as Alternative;
}

function filledIn(text: string, about: readonly unknown[]): string {
  return text.replace(/\{(\d)\}/g, (placeholder, index: string) => {
    const part = about[Number(index)];
    return part === undefined ? placeholder : Array.isArray(part) ? part.join(', ') : `${part as string}`;
  });
}
