import { phrase, property, type Phrase } from '../../src/model/messages';
import { nearestOf } from '../../src/text';
import { PROPS } from '../generated/props';
import { misspelledProp, unknownProp } from './messages';

/** The name of an interface of properties. */
export type PropsType = keyof typeof PROPS;

const DECLARED: Readonly<Record<PropsType, Readonly<Record<string, PropsType | ''>>>> = PROPS;

/** A property with this many wrong letters is misspelled; with more, another one may be meant. */
const MOST_WRONG_LETTERS = 2;

/** Returns the properties that an interface declares. */
export function declaredProps<T extends object>(type: PropsType, props: T): T {
  return Object.fromEntries(Object.entries(props).filter(([name]) => name in DECLARED[type])) as T;
}

/**
 * Reports properties that an interface does not declare, in an object and in those within it:
 * without types, a misspelled `namespace` would be ignored.
 *
 * @param report receives each problem, and whether the property is misspelled or in an inner
 *   object. Other properties may belong to a class that extends the one of this package.
 */
export function checkNames(
  subject: Phrase,
  type: PropsType,
  props: object,
  report: (problem: Phrase, isCertain: boolean) => void,
): void {
  const declared = DECLARED[type];
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(declared, name)) {
      const absent = Object.keys(declared).filter((each) => !(each in props));
      const similar = nearestOf(name, absent, MOST_WRONG_LETTERS);
      const problem =
        similar === undefined ? unknownProp(name, Object.keys(declared)) : misspelledProp(name, similar);
      report(phrase`${subject}: ${problem}`, similar !== undefined);
      continue;
    }
    const nested = declared[name]!;
    if (nested === '') continue;
    const place = phrase`${subject}: ${property(name)}`;
    const objects = Array.isArray(value)
      ? value.map((each: unknown, index) => [phrase`${place}[${String(index)}]`, each] as const)
      : [[place, value as unknown] as const];
    for (const [where, object] of objects)
      if (typeof object === 'object' && object !== null)
        checkNames(where, nested, object, (problem) => report(problem, true));
  }
}
