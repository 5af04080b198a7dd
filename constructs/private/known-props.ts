import { Token } from 'cdktf';
import { phrase, property, type Phrase } from '../../src/model/messages';
import { nearestOf } from '../../src/text';
import { PROPS } from '../generated/props';
import { misspelledProp, unknownProp } from './messages';

/** The name of an interface of properties. */
export type PropsType = keyof typeof PROPS;

const DECLARED: Readonly<Record<PropsType, Readonly<Record<string, string>>>> = PROPS;

/**
 * The most wrong letters for which a property counts as misspelled. With more, a different property
 * may be meant.
 */
const MOST_WRONG_LETTERS = 2;

/** Returns the properties that an interface declares. */
export function declaredProps<T extends object>(type: PropsType, props: T): T {
  return Object.fromEntries(Object.entries(props).filter(([name]) => name in DECLARED[type])) as T;
}

/**
 * Reports properties that an interface does not declare, in an object and in the objects within it.
 * In code without types, a misspelled `namespace` would otherwise be ignored.
 *
 * @param report receives each problem, and whether the property is misspelled or in an inner
 * object. Other properties may belong to a class that extends a class of this package.
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
    for (const { place, type: declaredType, value: inner } of partsOf(
      () => phrase`${subject}: ${property(name)}`,
      declared[name]!,
      value,
    )) {
      if (isPropsType(declaredType) && typeof inner === 'object' && inner !== null)
        checkNames(place(), declaredType, inner, (problem) => report(problem, true));
    }
  }
}

/** A single value of a property: the value itself, or an element of its list or map. */
export interface DeclaredValue {
  /**
   * Returns the place of the value, such as `paths[1]`. This is a function, because nearly all
   * values are valid and need no text for their place.
   */
  readonly place: () => Phrase;
  /** The name of the property that contains the value. */
  readonly name: string;
  /**
   * The declared type of the value. It ends with `[]` or `{}` if a list or map was declared and the
   * value is not one.
   */
  readonly type: string;
  readonly value: unknown;
}

/** Returns all single values of a property, including those in objects within it. */
export function valuesIn(
  type: PropsType,
  name: string,
  value: unknown,
  prefix: () => Phrase = () => '',
): readonly DeclaredValue[] {
  const declared = DECLARED[type];
  if (!isGiven(value) || !Object.hasOwn(declared, name)) return [];
  const parts = partsOf(() => phrase`${prefix()}${property(name)}`, declared[name]!, value);
  return parts.flatMap(({ place, type: inner, value: object }) =>
    isPropsType(inner) && isObject(object)
      ? Object.entries(object).flatMap(([each, within]) =>
          valuesIn(inner, each, within, () => phrase`${place()}: `),
        )
      : { place, type: inner, value: object, name },
  );
}

/** Whether a value is neither undefined nor null. */
export function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** Whether a value is an object with members, and no token. */
export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !Token.isUnresolved(value);
}

export function isPropsType(type: string): type is PropsType {
  return Object.hasOwn(DECLARED, type);
}

function partsOf(place: () => Phrase, type: string, value: unknown): Omit<DeclaredValue, 'name'>[] {
  const element = type.slice(0, -2);
  if (type.endsWith('[]') && Array.isArray(value))
    return value.flatMap((each: unknown, index) =>
      partsOf(() => phrase`${place()}[${String(index)}]`, element, each),
    );
  if (type.endsWith('{}') && isObject(value))
    return Object.entries(value).flatMap(([key, each]) =>
      partsOf(() => phrase`${place()}.${key}`, element, each),
    );
  return [{ place, type, value }];
}
