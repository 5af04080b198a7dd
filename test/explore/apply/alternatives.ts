/** Combinations of alternatives of the assumptions that the abstract clusters follow. */
import { ASSUMPTIONS, type Assume, type AssumptionName } from '../../../src/emulator/assume';
import { MODELLED } from '../assumptions';

/** An alternative of an assumption. */
type Choice = readonly [name: AssumptionName, alternative: string];

/** The keys of an alternative whose values are texts of messages. */
const TEXTS = new Set(['says', 'text']);

/**
 * The alternatives of each assumption, the default first. The model treats alternatives that differ
 * only in their texts as one.
 */
const ALTERNATIVES: readonly (readonly Choice[])[] = Object.entries(MODELLED)
  .filter(([, modelled]) => modelled === 'modelled')
  .map(([key]) => {
    const name = key as AssumptionName;
    const distinct = new Map(
      Object.entries(ASSUMPTIONS[name].alternatives)
        .reverse()
        .map(([alternative, value]) => [withoutTexts(value), alternative] as const),
    );
    return [...distinct.values()].reverse().map((alternative): Choice => [name, alternative]);
  });

function withoutTexts(alternative: object): string {
  return JSON.stringify(alternative, (key, value: unknown) => {
    if (TEXTS.has(key)) return undefined;
    return typeof value === 'function' ? String(value) : value;
  });
}

/** Returns all alternatives other than the defaults, each in a combination of its own. */
export function eachAlone(): readonly Assume[] {
  return ALTERNATIVES.flatMap(([, ...others]) => others.map((choice) => assumeOf([choice])));
}

/** Returns combinations in which any two alternatives of different assumptions occur together. */
export function eachPair(): readonly Assume[] {
  const missing = new Set(
    ALTERNATIVES.flatMap((choices, index) =>
      ALTERNATIVES.slice(index + 1).flatMap((others) =>
        choices.flatMap((choice) => others.map((other) => pairOf(choice, other))),
      ),
    ),
  );
  const rows: Assume[] = [];
  while (missing.size > 0) {
    const row = ALTERNATIVES.reduce<readonly Choice[]>((chosen, choices) => {
      const gain = (choice: Choice) => chosen.filter((before) => missing.has(pairOf(before, choice))).length;
      const left = (choice: Choice) => [...missing].filter((pair) => pair.includes(keyOf(choice))).length;
      const best = choices.reduce((a, b) => ((gain(b) - gain(a) || left(b) - left(a)) > 0 ? b : a));
      return [...chosen, best];
    }, []);
    row.forEach((choice, index) =>
      row.slice(index + 1).forEach((other) => missing.delete(pairOf(choice, other))),
    );
    rows.push(assumeOf(row));
  }
  return rows;
}

function keyOf([name, alternative]: Choice): string {
  return `${name}=${alternative};`;
}

function pairOf(a: Choice, b: Choice): string {
  return keyOf(a) + keyOf(b);
}

function assumeOf(choices: readonly Choice[]): Assume {
  return Object.fromEntries(choices);
}

/** Returns a title for a combination: the names of its alternatives other than the defaults. */
export function titleOf(assume: Assume): string {
  const others = ALTERNATIVES.flatMap(([, ...choices]) => choices).filter(
    ([name, alternative]) => assume[name] === alternative,
  );
  return others.map(([name, alternative]) => `${name} ${alternative}`).join(', ');
}
