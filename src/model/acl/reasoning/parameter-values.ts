import { globOf, isLowered, parametersAllow, type ParameterRules } from '../parameters';
import type { Permissions } from '../permissions';
import { stepsFor, type Effort } from '../effort';
import type { FurtherCheck } from './further-checks';
import { GlobLists, type GlobState } from './globs';

const FRESH = 'example';

/** The permissions of a rule, with the way in which a server compares parameters. */
export interface Permitted {
  readonly permissions: Permissions;
  readonly rules: ParameterRules;
  /** The further checks of requests. */
  readonly checks: readonly FurtherCheck[];
}

/**
 * The allowed and the denied values of a parameter. An absent list contains no value; an empty list
 * stands for any value.
 */
interface Constraint {
  readonly allowed?: readonly unknown[] | undefined;
  readonly denied?: readonly unknown[] | undefined;
}

export function constraintOf({ permissions, rules }: Permitted, name: string): Constraint {
  const { allowedParameters: allowed, deniedParameters: denied } = permissions;
  const known = isLowered(name, rules) ? withoutUpperCase : (values?: readonly unknown[]) => values;
  return {
    allowed: known(allowed.get(name)) ?? (allowed.size === 0 || allowed.has('*') ? [] : undefined),
    denied: denied.has('*') ? [] : known(denied.get(name)),
  };
}

/** A value that no parameter of a request has. */
const NEVER = 0;

/**
 * Replaces texts that contain upper-case letters, because values in lower case never match them.
 */
function withoutUpperCase(values?: readonly unknown[]): readonly unknown[] | undefined {
  return values?.map((value) => (typeof value === 'string' && value !== value.toLowerCase() ? NEVER : value));
}

/** Whether any value is permitted. */
export function isFree({ allowed, denied }: Constraint): boolean {
  return allowed?.length === 0 && denied === undefined;
}

/** Whether a parameter may have a value, regardless of other requirements. */
export function permitsValue(
  { permissions, rules }: Permitted,
  name: string,
  value: unknown,
  effort: Effort,
): boolean {
  const alone = { ...permissions, requiredParameters: [] };
  return parametersAllow(alone, { [name]: value }, rules, effort);
}

/**
 * Finds a value of a parameter that some rules permit and others refuse. If it finds none, there is
 * none.
 *
 * @param rules at most two.
 * @param wanted for each rule, whether it must permit the value.
 * @returns a list with the value, because `undefined` and `null` are values too; `undefined` if no
 * value is found.
 * @throws TooComplexError
 */
export function findValue(
  name: string,
  rules: readonly Permitted[],
  wanted: readonly boolean[],
  effort: Effort,
): readonly [unknown] | undefined {
  const values = new ParameterValues(name, rules, wanted, effort);
  for (const found of values.likely()) if (values.confirms(found)) return [found];
  for (const found of values.texts()) if (values.confirms(found)) return [found];
  return undefined;
}

/**
 * The lists that match a value as a whole, any of its elements, and all of its elements; each as
 * bits.
 */
interface Matching {
  readonly whole: number;
  readonly any: number;
  readonly all: number;
}

/**
 * The bits of all lists of two rules. Each rule has a list of allowed values and a list of denied
 * values.
 */
const ALL = 0b1111;
const ALLOWED = 0b0101;

/** The state of reading a text character by character, as a whole and as a list with commas. */
interface Reading extends Pick<Matching, 'any' | 'all'> {
  /** The state one character before; `undefined` at the beginning. */
  readonly before: Reading | undefined;
  readonly letter: string;
  readonly whole: GlobState;
  /** The state of the current element without leading blanks. */
  readonly element: GlobState;
  readonly trimmed: GlobState;
}

/** The search for values of one parameter that suit several rules. */
class ParameterValues {
  readonly #name: string;
  readonly #rules: readonly Permitted[];
  readonly #wanted: readonly boolean[];
  readonly #constraints: readonly Constraint[];
  readonly #texts: readonly string[];
  readonly #others: readonly unknown[];
  readonly #globs: GlobLists;
  readonly #perElement: boolean;
  /** The bits of the lists of denied values. */
  readonly #deniedLists: number;
  /** The state at the beginning of every text. */
  readonly #start: Reading;
  /** The lists that contain a value of another type than text, by the key of the value. */
  readonly #byKey = new Map<string, number>();
  /** One more than the length of the longest list that a rule names. */
  readonly #longest: number;
  readonly #effort: Effort;

  constructor(name: string, rules: readonly Permitted[], wanted: readonly boolean[], effort: Effort) {
    this.#name = name;
    this.#rules = rules;
    this.#wanted = wanted;
    this.#effort = effort;
    this.#constraints = rules.map((rule) => constraintOf(rule, name));
    const lists = this.#constraints.flatMap(({ allowed = [], denied = [] }) => [allowed, denied]);
    effort.spend(lists.reduce((sum, { length }) => sum + length, 0));
    const texts = lists.map((values) => values.filter((value) => typeof value === 'string'));
    const others = lists.map((values) => values.filter((value) => typeof value !== 'string'));
    this.#texts = texts.flat();
    this.#others = others.flat();
    this.#globs = new GlobLists(texts, effort);
    this.#perElement = rules.some((each) => each.rules.perElementLists);
    this.#deniedLists = this.#constraints.reduce(
      (denied, each, index) => (each.denied ? denied | (1 << (2 * index + 1)) : denied),
      0,
    );
    const { start } = this.#globs;
    this.#start = {
      before: undefined,
      letter: '',
      whole: start,
      element: start,
      trimmed: start,
      any: 0,
      all: ALLOWED,
    };
    others.forEach((values, list) => {
      for (const value of values) {
        const key = this.#keyOf(value);
        if (key !== undefined) this.#byKey.set(key, (this.#byKey.get(key) ?? 0) | (1 << list));
      }
    });
    this.#longest = this.#others.reduce<number>(
      (most, value) => (Array.isArray(value) ? Math.max(most, value.length) : most),
      0,
    );
  }

  /**
   * Yields values that nearly always suffice. `1` stands for all values that no rule names, because
   * numbers never match. A list that is longer than the lists of the rules stands for all lists of
   * one element.
   */
  *likely(): Generator {
    const elements = [FRESH, ...this.#texts.flatMap(instancesOf), 1, ...this.#others];
    for (const value of [...elements, []]) if (this.#suits(this.#matching(value))) yield value;
    for (const element of elements) {
      const matching = this.#matchingElement(element);
      if (this.#suits({ whole: 0, any: matching, all: matching })) yield this.#listOf(element);
    }
  }

  /**
   * Yields all suitable texts, and all suitable lists of one text, which may contain commas. If two
   * texts lead to the same state of the globs, the search continues only from the shorter one.
   */
  *texts(): Generator {
    const seen = new Readings(this.#effort);
    const queue = [this.#start];
    for (let next = 0; next < queue.length; next++) {
      const reading = queue[next]!;
      if (this.#suits(this.#matchingRead(reading))) yield textOf(reading);
      const asElement = this.#globs.matching(reading.whole);
      if (this.#suits({ whole: 0, any: asElement, all: asElement })) yield this.#listOf(textOf(reading));
      for (const letter of this.#lettersAfter(reading)) {
        const longer = this.#read(reading, letter);
        if (seen.add(longer) && this.#mayStillSuit(longer)) queue.push(longer);
      }
    }
  }

  /** Returns the characters that lead to different states, and one that stands for all others. */
  #lettersAfter({ whole, element }: Reading): ReadonlySet<string> {
    const letters = new Set(this.#globs.letters(whole));
    if (this.#perElement) {
      for (const letter of this.#globs.letters(element)) letters.add(letter);
      for (const letter of this.#globs.letters(this.#globs.start)) letters.add(letter);
      letters.add(',').add(' ');
    }
    letters.add(freshLetter(letters));
    return letters;
  }

  /** Whether the text can be continued to a suitable text, or to a list with one suitable text. */
  #mayStillSuit({ whole, element, trimmed, any, all }: Reading): boolean {
    const mayMatch = this.#globs.mayMatch(whole);
    const ofElements = all & (this.#globs.matching(trimmed) | this.#globs.mayMatch(element));
    const isPossible = (asList: boolean) =>
      this.#rules.every(({ rules: { perElementLists } }, index) => {
        const { allowed, denied } = this.#constraints[index]!;
        const isRead = !asList || perElementLists;
        const surely = (isRead ? whole.open : 0) | (!asList && perElementLists ? any : 0);
        const maybe = (isRead ? mayMatch : 0) | (!asList && perElementLists ? ofElements : 0);
        const [ofAllowed, ofDenied] = [2 * index, 2 * index + 1];
        if (this.#wanted[index]) {
          return (
            allowed !== undefined &&
            has(allowed, maybe, ofAllowed) &&
            !(denied && has(denied, surely, ofDenied))
          );
        }
        return denied !== undefined || allowed === undefined || !has(allowed, surely, ofAllowed);
      });
    return isPossible(false) || isPossible(true);
  }

  /**
   * Whether the evaluator confirms a value. It may not, because it compares code units: a glob may
   * match half of a character.
   */
  confirms(value: unknown): boolean {
    return this.#rules.every(
      (rule, index) => permitsValue(rule, this.#name, value, this.#effort) === this.#wanted[index],
    );
  }

  #listOf(element: unknown): readonly unknown[] {
    this.#effort.spend(this.#longest);
    return Array.from({ length: this.#longest + 1 }, () => element);
  }

  #suits({ whole, any, all }: Matching): boolean {
    return this.#rules.every(({ rules: { perElementLists } }, index) => {
      const { allowed, denied } = this.#constraints[index]!;
      const [elements, each] = perElementLists ? [any, all] : [0, 0];
      const isDenied = denied !== undefined && has(denied, whole | elements, 2 * index + 1);
      const isAllowed = allowed !== undefined && has(allowed, whole | each, 2 * index);
      return (isAllowed && !isDenied) === this.#wanted[index];
    });
  }

  #matching(value: unknown): Matching {
    if (typeof value === 'string') {
      let reading = this.#start;
      for (const letter of value) reading = this.#read(reading, letter);
      return this.#matchingRead(reading);
    }
    const elements = Array.isArray(value) ? value.map((element) => this.#matchingElement(element)) : [];
    return {
      whole: this.#matchingElement(value),
      any: elements.reduce((lists, each) => lists | each, 0),
      all: Array.isArray(value) ? elements.reduce((lists, each) => lists & each, ALL) : 0,
    };
  }

  /** Returns the lists that match a value as a whole, as bits. */
  #matchingElement(value: unknown): number {
    if (typeof value === 'string') return this.#globs.matching(this.#globs.read(value));
    const key = this.#keyOf(value);
    return key === undefined ? 0 : (this.#byKey.get(key) ?? 0);
  }

  #read(before: Reading, letter: string): Reading {
    this.#effort.spend(1);
    const whole = this.#globs.after(before.whole, letter);
    const { start } = this.#globs;
    let { element, trimmed, any, all } = before;
    if (this.#perElement && letter === ',') {
      const matching = this.#globs.matching(trimmed);
      // A list is denied if any of its elements is, and allowed if all of them are.
      any |= matching & this.#deniedLists;
      all &= matching;
      element = start;
      trimmed = start;
    } else if (this.#perElement) {
      const isBlank = letter === ' ' || letter.trim() === '';
      if (!isBlank || element !== start) element = this.#globs.after(element, letter);
      if (!isBlank) trimmed = element;
    }
    return { before, letter, whole, element, trimmed, any, all };
  }

  #matchingRead({ before, whole, trimmed, any, all }: Reading): Matching {
    const last = this.#globs.matching(trimmed);
    return {
      whole: this.#globs.matching(whole),
      // An empty text is a list without elements.
      any: before ? any | last : 0,
      all: before ? all & last : ALLOWED,
    };
  }

  /**
   * Returns a text that is equal for values that match each other; `undefined` for values with
   * numbers, which match nothing.
   */
  #keyOf(value: unknown): string | undefined {
    let hasNumber = false;
    const key = JSON.stringify(value, (_, inner: unknown) => {
      hasNumber ||= typeof inner === 'number';
      if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) return inner;
      const entries = Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(entries);
    });
    this.#effort.spend(stepsFor(key));
    return hasNumber ? undefined : key;
  }
}

function textOf(reading: Reading): string {
  const letters: string[] = [];
  for (let at: Reading | undefined = reading; at; at = at.before) letters.push(at.letter);
  return letters.reverse().join('');
}

/** Whether a list of values stands for any value, or is among the matching lists. */
function has(values: readonly unknown[], matching: number, list: number): boolean {
  return values.length === 0 || (matching & (1 << list)) !== 0;
}

/** The number of states up to which the keys of states are distinct. */
const MOST_STATES = 2 ** 20;

/** The states that were reached before: texts with the same states have the same continuations. */
class Readings {
  readonly #effort: Effort;
  readonly #seen = new Map<number, Set<number>>();

  constructor(effort: Effort) {
    this.#effort = effort;
  }

  /**
   * Adds a state.
   *
   * @returns whether it is new.
   */
  add({ whole, element, trimmed, any, all }: Reading): boolean {
    if (Math.max(whole.id, element.id, trimmed.id) >= MOST_STATES) this.#effort.spend(Infinity);
    const key = ((element.id * MOST_STATES + trimmed.id) * (ALL + 1) + any) * (ALL + 1) + all;
    const others = this.#seen.get(whole.id);
    if (others?.has(key)) return false;
    if (others) others.add(key);
    else this.#seen.set(whole.id, new Set([key]));
    return true;
  }
}

function instancesOf(pattern: string): readonly string[] {
  const { text } = globOf(pattern);
  return [text, text + FRESH, FRESH + text, FRESH + text + FRESH];
}

function freshLetter(letters: ReadonlySet<string>): string {
  for (let code = 'x'.charCodeAt(0); ; code++) {
    const letter = String.fromCharCode(code);
    if (!letters.has(letter)) return letter;
  }
}
