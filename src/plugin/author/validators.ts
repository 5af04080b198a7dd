/**
 * A condition on the value of an attribute.
 *
 * @returns the problem, as the text after the attribute's name: `must be one of "a", "b", got "c"`.
 *   Undefined if there is none.
 */
export type Validator<T> = (value: T) => string | undefined;

/** Accepts the given values. */
export function oneOf<const V extends string | number>(...allowed: readonly V[]): Validator<string | number> {
  return (value) =>
    (allowed as readonly (string | number)[]).includes(value)
      ? undefined
      : `must be one of ${allowed.map((v) => JSON.stringify(v)).join(', ')}, got ${JSON.stringify(value)}`;
}

/**
 * Accepts texts that `pattern` matches; `what` describes the pattern, such as `lower-case letters`.
 */
export function matching(pattern: RegExp, what: string): Validator<string> {
  return (value) => (pattern.test(value) ? undefined : `must be ${what}, got ${JSON.stringify(value)}`);
}

/** Accepts numbers from `least` to `most`, both included. */
export function between(least: number, most: number): Validator<number> {
  return (value) =>
    value >= least && value <= most ? undefined : `must be from ${least} to ${most}, got ${value}`;
}

/** Accepts texts, lists or sets with at least `least` and at most `most` characters or elements. */
export function sized(least: number, most = Infinity): Validator<string | readonly unknown[]> {
  return ({ length }) => {
    if (length >= least && length <= most) return undefined;
    const wanted = most === Infinity ? `at least ${least}` : `${least} to ${most}`;
    const unit = wanted === 'at least 1' ? 'character or element' : 'characters or elements';
    return `must have ${wanted} ${unit}, got ${length}`;
  };
}
