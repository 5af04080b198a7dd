import { nearestOf } from '../../src/text';
import { PROPS } from '../generated/props';
import { phrase, property, type Phrase } from '../../src/model/messages';
import { appError } from './app-language';
import { misspelledProp, unknownProp } from './messages';

/** The name of an interface of properties. */
export type PropsType = keyof typeof PROPS;

const DECLARED: Readonly<Record<PropsType, Readonly<Record<string, PropsType | ''>>>> = PROPS;

/** A property with this many wrong letters is misspelled; with more, another one may be meant. */
const MOST_WRONG_LETTERS = 2;

/**
 * Refuses properties that an interface does not declare, in an object and in those within it:
 * without types, a misspelled `namespace` would be ignored.
 *
 * @param report reports a name that is like no declared one. By default, it is refused.
 * @throws Error that names the property.
 */
export function checkNames(
  subject: Phrase,
  type: PropsType,
  props: object,
  report: (problem: Phrase) => void = (problem) => {
    throw appError(phrase`${subject}: ${problem}`);
  },
): void {
  const declared = DECLARED[type];
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined) continue;
    if (!Object.hasOwn(declared, name)) {
      const absent = Object.keys(declared).filter((each) => !(each in props));
      const similar = nearestOf(name, absent, MOST_WRONG_LETTERS);
      if (similar !== undefined) throw misspelledProp(subject, name, similar);
      report(unknownProp(name, Object.keys(declared)));
      continue;
    }
    const nested = declared[name]!;
    if (nested === '') continue;
    const place = phrase`${subject}: ${property(name)}`;
    if (!Array.isArray(value)) checkNested(place, nested, value);
    else value.forEach((each, index) => checkNested(phrase`${place}[${String(index)}]`, nested, each));
  }
}

function checkNested(subject: Phrase, type: PropsType, value: unknown): void {
  if (typeof value === 'object' && value !== null) checkNames(subject, type, value);
}
