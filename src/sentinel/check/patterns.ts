/** Faults in regular expressions of RE2, which policies use. */
import { RE2JS, RE2JSSyntaxException } from 're2js';

/** The reason why a text is not a regular expression of RE2. */
interface PatternFault {
  /** The first character that is wrong, as an index of the text. */
  readonly index: number;
  /** The part that is not allowed. */
  readonly part: string;
  readonly problem: string;
  readonly cure: string;
}

/**
 * The parts of regular expressions that other languages allow and RE2 does not, by their
 * beginnings.
 */
const FOREIGN: readonly (readonly [beginning: RegExp, what: string, cure: string])[] = [
  [/^\(\?=/, 'a lookahead', 'write two conditions, joined by "and"'],
  [/^\(\?!/, 'a negative lookahead', 'write two conditions: … and … not matches …'],
  [/^\(\?<=/, 'a lookbehind', 'write the part before as a part of the expression'],
  [/^\(\?<!/, 'a negative lookbehind', 'write two conditions: … and … not matches …'],
  [/^\(\?>/, 'an atomic group', 'write (?:…)'],
  [/^\(\?#/, 'a comment', 'write a comment of the policy'],
  [/^\(\?P[=>]|^\(\?P$|^\(\?[&R0-9]/, 'a reference to a group', 'repeat the expression of the group'],
  [/^\(\?\|/, 'a branch reset group', 'write (?:…|…)'],
  [/^\(\?\(/, 'a conditional group', 'write (?:…|…)'],
  [/^\(\?'/, 'a group named with quotes', 'write (?P<name>…)'],
  [/^\(\?P?</, 'a group without a valid name', 'write (?P<name>…) with letters, digits and "_"'],
  [/^\(\?/, 'an unknown flag', 'allowed are the flags i, m, s and U, as in (?i) or (?i:…)'],
  [/^\\[1-9]/, 'a backreference', 'repeat the expression of the group'],
  [/^\\[kg]/, 'a reference to a group', 'repeat the expression of the group'],
  [/^\\Z/, 'an escape of another language', 'write "\\\\z" or "$" for the end of the text'],
  [/^\\G/, 'an escape of another language', 'write "^" for the beginning of the text'],
  [/^\\[hHRX]/, 'an escape for characters', 'write the characters in brackets: [ \\\\t]'],
  [/^\\u/, 'an escape for a character', 'write "\\\\x{…}"'],
  [/^\\x/, 'an escape for a character', 'write "\\\\x{…}" with at most 10FFFF'],
  [/^\\[a-zA-Z]/, 'an unknown escape', 'write the letter without the backslash'],
];

const COUNT_CURE =
  'allowed are counts of at most 1000, also for repetitions in repetitions, and the least one first';

/** The faults by their names in the library. */
const FAULTS: Readonly<Record<string, readonly [what: string, cure: string]>> = {
  'invalid repeat count': ['an invalid count of repetitions', COUNT_CURE],
  'invalid repeat size': ['an invalid count of repetitions', COUNT_CURE],
  'invalid nested repetition operator': [
    'a repetition of a repetition',
    'write one of *, + and ?, which "?" may follow',
  ],
  'missing argument to repetition operator': [
    'a repetition of nothing',
    'write "." before it for any character, or "\\\\" for the character itself',
  ],
  'invalid character class range': [
    'an invalid range or class of characters',
    'write the lower character first, and known classes',
  ],
  'missing closing ]': [
    'a bracket that is never closed',
    'close it with "]", or write "\\\\[" for the character',
  ],
  'missing closing )': [
    'a group that is never closed',
    'close it with ")", or write "\\\\(" for the character',
  ],
  'unexpected )': ['a ")" without "("', 'remove it, or write "\\\\)" for the character'],
  'trailing backslash at end of expression': ['a backslash at the end', 'write "\\\\\\\\" for a backslash'],
  'duplicate capture group name': ['the same name for two groups', 'give each group a name of its own'],
  'expression nests too deeply': ['groups that nest too deeply', 'write several conditions'],
  'expression too large': ['too many repetitions', 'write several conditions'],
};

/** Returns why a text is not a regular expression of RE2; `undefined` if it is one. */
export function patternFault(pattern: string): PatternFault | undefined {
  try {
    RE2JS.compile(pattern);
    return undefined;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return faultOf(pattern, error.getDescription(), error.getPattern() ?? '');
  }
}

function faultOf(pattern: string, description: string, named: string): PatternFault {
  const isGroup = description === 'missing closing )' || description === 'unexpected )';
  const index = isGroup ? unmatchedAt(pattern) : indexOf(pattern, named);
  const part = isGroup ? pattern.charAt(index) : partAt(pattern, index, named);
  const foreign = FOREIGN.find(([beginning]) => beginning.test(pattern.slice(index, index + 8)));
  const isForeign = /^invalid (or unsupported Perl syntax|named capture|escape sequence)$/.test(description);
  const own = Object.hasOwn(FAULTS, description) ? FAULTS[description] : undefined;
  if (isForeign && foreign) return { index, part, problem: foreign[1], cure: foreign[2] };
  const [problem, cure] = own ?? [`a part that is wrong (${description})`, 'write it as RE2 has it'];
  return { index, part, problem, cure };
}

/** The maximum number of places at which the part that the library names is searched. */
const MOST_PLACES = 20;
const NAMED_GROUP = /^\(\?P?<\w+>/;

/** Returns the first index of a part at which the pattern becomes wrong. */
function indexOf(pattern: string, named: string): number {
  if (named === '') return Math.max(0, pattern.length - 1);
  let index = pattern.indexOf(named);
  for (let left = MOST_PLACES; left > 0 && index >= 0; left--) {
    const isWrong =
      !NAMED_GROUP.test(pattern.slice(index)) &&
      !isUnfinished(pattern.slice(0, index + named.length)) &&
      isUnfinished(pattern.slice(0, index));
    if (isWrong) return index;
    index = pattern.indexOf(named, index + 1);
  }
  return Math.max(0, pattern.indexOf(named));
}

/** Whether a pattern begins correctly: only closing brackets may be missing. */
function isUnfinished(part: string): boolean {
  try {
    RE2JS.compile(part);
    return true;
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    return /^missing closing/.test(error.getDescription());
  }
}

/** Returns the part that is wrong. The library names too much or too little of some groups. */
function partAt(pattern: string, index: number, named: string): string {
  const rest = pattern.slice(index);
  if (named === '') return rest;
  return /^\(\?(?:P[=>&][^)]*\)?|<[=!])/.exec(rest)?.[0] ?? (/^\(\?P?</.exec(named)?.[0] || named);
}

/** Returns the index of the bracket without a partner. */
function unmatchedAt(pattern: string): number {
  const open: number[] = [];
  let inClass = false;
  for (let index = 0; index < pattern.length; index++) {
    const character = pattern[index];
    if (character === '\\') index++;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') {
      inClass = true;
      // The first character of a class may be a bracket that does not close it.
      if (pattern[index + 1] === '^') index++;
      if (pattern[index + 1] === ']') index++;
    } else if (character === '(') open.push(index);
    else if (character === ')' && open.pop() === undefined) return index;
  }
  return open.at(-1) ?? 0;
}
