import { globOf, parametersAllow } from '../parameters';
import type { Permissions } from '../permissions';
import type { FurtherCheck } from './further-checks';

/** Longest search for a text, in texts tried. Only constraints with many long globs for one parameter come near. */
const MOST_TEXTS = 20_000;
const FRESH = 'example';

/** What a rule permits, as servers of a version read it. */
export interface Permitted {
  readonly permissions: Permissions;
  readonly perElementLists: boolean;
  /** What requests must also pass. */
  readonly checks: readonly FurtherCheck[];
}

/** What a rule says of a parameter. Without a list no value is meant; an empty list stands for any value. */
interface Constraint {
  readonly allowed?: readonly unknown[] | undefined;
  readonly denied?: readonly unknown[] | undefined;
}

export function constraintOf({ permissions }: Permitted, name: string): Constraint {
  const { allowedParameters: allowed, deniedParameters: denied } = permissions;
  return {
    allowed: allowed.get(name) ?? (allowed.size === 0 || allowed.has('*') ? [] : undefined),
    denied: denied.has('*') ? [] : denied.get(name),
  };
}

/** Whether any value is permitted. */
export function isFree({ allowed, denied }: Constraint): boolean {
  return allowed?.length === 0 && denied === undefined;
}

/** Whether a parameter may have a value, regardless of other requirements. */
export function permitsValue(
  { permissions, perElementLists }: Permitted,
  name: string,
  value: unknown,
): boolean {
  return parametersAllow({ ...permissions, requiredParameters: [] }, { [name]: value }, perElementLists);
}

/**
 * Finds a value of a parameter for which `suits` holds, a condition on what several rules say of it.
 *
 * @returns the value in a list, as `undefined` and `null` are values; `undefined` if there is none.
 */
export function findValue(
  name: string,
  all: readonly Permitted[],
  suits: (value: unknown) => boolean,
): readonly [unknown] | undefined {
  const constraints = all.flatMap((each) => {
    const { allowed = [], denied = [] } = constraintOf(each, name);
    return [allowed, denied];
  });
  for (const value of likelyValues(constraints.flat())) if (suits(value)) return [value];
  return findText(
    constraints,
    all.some(({ perElementLists }) => perElementLists),
    suits,
  );
}

/**
 * Values that nearly always suffice. `1` stands for all that rules do not name, since numbers never match; a list that is
 * longer than those that rules name, for all lists of an element.
 */
function likelyValues(written: readonly unknown[]): readonly unknown[] {
  const texts = written.filter((value) => typeof value === 'string');
  const others = written.filter((value) => typeof value !== 'string');
  const elements = [FRESH, ...texts.flatMap(instancesOf), 1, ...others];
  const longest = Math.max(0, ...others.filter(Array.isArray).map(({ length }) => length));
  const lists = elements.map((element) => Array.from({ length: longest + 1 }, () => element));
  return [...elements, [], ...lists];
}

function instancesOf(pattern: string): readonly string[] {
  const { text } = globOf(pattern);
  return [text, text + FRESH, FRESH + text, FRESH + text + FRESH];
}

/**
 * Searches all texts, and all lists of one, whose commas separate nothing. Of two texts after which the globs stand at the
 * same points, only the shorter one is followed.
 */
function findText(
  constraints: readonly (readonly unknown[])[],
  perElementLists: boolean,
  suits: (value: unknown) => boolean,
): readonly [unknown] | undefined {
  const globs = constraints.map((values) => values.filter((value) => typeof value === 'string'));
  const letters = new Set([...globs.flat().join(''), ...(perElementLists ? ', ' : '')]);
  letters.add(freshLetter(letters));
  const seen = new Set<string>();
  const queue = [''];
  for (let next = 0; next < queue.length && next < MOST_TEXTS; next++) {
    const text = queue[next]!;
    for (const value of [text, [text]]) if (suits(value)) return [value];
    for (const letter of letters) {
      const longer = text + letter;
      const state = stateAfter(longer, globs, perElementLists);
      if (seen.has(state)) continue;
      seen.add(state);
      queue.push(longer);
    }
  }
  return undefined;
}

function freshLetter(letters: ReadonlySet<string>): string {
  for (let code = 'x'.charCodeAt(0); ; code++) {
    const letter = String.fromCharCode(code);
    if (!letters.has(letter)) return letter;
  }
}

/** Where all globs stand after a text, and after the list that it may be. */
function stateAfter(text: string, globs: readonly (readonly string[])[], perElementLists: boolean): string {
  const whole = globs.flat().map((glob) => globState(glob, text));
  if (!perElementLists) return whole.join();
  const elements = text.split(',');
  const current = elements.pop()!.replace(/^ +/, '');
  const done = elements.map((element) => element.trim());
  const past = globs.map((list) => {
    const among = done.map((element) => list.some((glob) => accepts(globState(glob, element))));
    return `${among.some(Boolean)}${among.every(Boolean)}`;
  });
  const now = globs.flat().map((glob) => `${globState(glob, current)}/${globState(glob, current.trimEnd())}`);
  return [...whole, ...past, ...now].join();
}

/** How far a glob is after a text. What follows decides in the same way after equal states. */
function globState(glob: string, text: string): string {
  const { text: wanted, open, openEnd } = globOf(glob);
  if (!open) {
    if (text.startsWith(wanted)) return openEnd || text === wanted ? 'yes' : 'no';
    return wanted.startsWith(text) ? String(text.length) : 'no';
  }
  if (openEnd && text.includes(wanted)) return 'yes';
  let length = Math.min(wanted.length, text.length);
  while (!text.endsWith(wanted.slice(0, length))) length--;
  return length === wanted.length ? 'yes, so far' : String(length);
}

function accepts(state: string): boolean {
  return state.startsWith('yes');
}
