import type { Alternative, Assumption } from './assumption';

/** What a server was seen to do that no alternative is exactly like: in place of some values of the first one. */
export interface Measured {
  readonly status?: number;
  /** `{0}`, `{1}` and so on stand for what the refusal tells of its case. */
  readonly text?: string;
  readonly ms?: number;
}

const KINDS = { status: 'number', text: 'string', ms: 'number' } as const;

/** The first alternative, but for what was measured. */
export function withMeasured(assumption: Assumption, { text, ...numbers }: Measured): Alternative {
  const first = firstAlternative(assumption);
  if (text === undefined) return { ...first, ...numbers };
  return { ...first, ...numbers, text: (...about: readonly unknown[]) => filledIn(text, about) };
}

/** @throws RangeError if the assumption has no such value. */
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
