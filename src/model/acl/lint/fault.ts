import type { TextPosition } from '../../definition/field';
import { isJsonForm } from '../../hcl';
import type { AclFaultKind, AclPolicyError } from '../errors';
import { nearestOf } from '../../../text';
import { misplacedJson } from './json-shape';

/** The reason why the server refuses a policy, and what to do. */
export interface FaultDescription {
  /** Where the fault is. Absent if the place is not known. */
  readonly position?: TextPosition;
  /** The missing or superfluous token if that is the fault, otherwise the server's complaint. */
  readonly problem: string;
  /** The refused word, if the fault is an unknown word. */
  readonly word?: string;
  readonly cure: string;
  /** Whether the correction names all allowed words. */
  readonly namesAllowed?: boolean;
}

const UNKNOWN_CURE = 'correct the policy document';
const CLOSE = 'close the block with "}"';

/** The capabilities that people mean by other words, such as `write`. */
const SYNONYMS: Readonly<Record<string, string>> = {
  write: '"create" and "update"',
  all: 'each intended capability',
  '*': 'each intended capability',
  get: '"read"',
  put: '"update"',
  post: '"update"',
  remove: '"delete"',
  none: '"deny"',
};

/** The words that only OpenBao knows. */
const OF_OPENBAO = ['scan', 'expiration', 'pagination_limit', 'list_scan_response_keys_filter_path'];

/** The corrections of faults, for the kinds of faults with a single correction. */
const CURES: Readonly<Partial<Record<AclFaultKind, string>>> = {
  'no-list': 'write the value as a list: ["…"]',
  'word-without-quotes': 'put each word of the list in double quotes',
  'comma-missing': 'separate the values of the list with commas',
  'slash-outside-quotes': 'write the path in double quotes',
  'list-not-closed': 'close the list with "]"',
  'list-without-assignment': 'write "=" before the list',
  'brace-not-opened': 'remove the "}", or open the block that it closes',
  'quotes-not-closed': 'close the double quotes',
  'comment-not-terminated': 'close the comment with "*/"',
  'assignment-after-label': 'remove the "=" after the path',
  'plus-before-star': 'write "+/*" for a segment and all below it, or "*" for any suffix',
  'braces-of-template': 'close each "{{" with "}}"',
  'assignment-missing': 'write "=" and a value, or a block: { … }',
  'name-expected': 'write the name of an argument or block, such as path "…"',
  'name-missing': 'write the name of an argument or block, such as path "…"',
  'value-missing': 'write a value',
  'value-without-quotes': 'put the value in double quotes',
  'no-number': 'write a whole number',
  'no-text': 'write a text in double quotes',
  'no-block': 'write a block: { … }',
  'value-for-block': 'write a block: path "…" { … }',
  'no-map': 'write a block: { "name" = ["value"] }',
  duration: 'write a duration such as "5m"',
  'factor-missing': 'add a factor with an identity and its approvals',
  'approvals-missing': 'name a group, and write "approvals = 1" or more',
  'capability-not-in-rule': 'add the controlled capabilities to those of the rule',
  'ttls-reversed': 'make max_wrapping_ttl at least as long as min_wrapping_ttl',
};

/**
 * The descriptions of faults of tokens, in place of the parser's messages, which contain internal
 * names such as `RBRACE`.
 */
const PROBLEMS: Readonly<Partial<Record<AclFaultKind, string>>> = {
  'assignment-after-label': '"=" is not allowed between a path and its "{"',
  'assignment-missing': '"=" or "{" is missing after a name',
  'block-not-closed': '"}" is missing at the end of the block',
  'braces-of-template': '"{{" or "}}" is missing in a template',
  'brace-not-opened': '"{" is missing before "}"',
  'comma-missing': '"," is missing between two values of a list',
  'comment-not-terminated': '"*/" is missing at the end of the comment',
  'list-not-closed': '"]" is missing at the end of the list',
  'list-without-assignment': '"=" is missing before the list',
  'name-expected': 'the name of an argument or of a block is missing',
  'name-missing': 'a name is missing before "{" or "="',
  'quotes-not-closed': 'double quotes are missing at the end of the text',
  'slash-outside-quotes': 'double quotes are missing around a text with "/"',
  'value-missing': 'a value is missing after "="',
  'value-without-quotes': 'double quotes are missing around a value',
  'word-without-quotes': 'double quotes are missing around a word of the list',
};

/** Matches a text that is the path of a file with a policy. */
const FILE_NAME = /^[^\s"{}=]+\.(?:hcl|json)$/;

/** A fault with what its description is made of. */
interface Fault {
  readonly error: AclPolicyError;
  readonly text: string;
  readonly position: TextPosition | undefined;
  readonly problem: string;
}

/** Describes a fault of a policy for the person who wrote it. */
export function describeFault(error: AclPolicyError, text: string): FaultDescription {
  const { kind, received = '', plain } = error;
  const position = positionOf(error);
  const problem = (kind && PROBLEMS[kind]) ?? plain ?? complaintOf(error);
  const fault = { error, text, position, problem };
  // A text of another form makes the parser complain about anything, so it is recognized first.
  // Later ones look closer at the place of the complaint, and know fewer causes.
  return (
    textOfOtherForm(fault) ??
    wordNotAllowed(fault) ??
    partNotClosed(fault) ??
    causeOnLine(fault) ?? {
      position,
      problem,
      ...(received && { word: received }),
      cure: (kind && CURES[kind]) ?? UNKNOWN_CURE,
    }
  );
}

function textOfOtherForm({ text, position }: Fault): FaultDescription | undefined {
  if (FILE_NAME.test(text)) {
    return { position, problem: 'it is the name of a file', cure: 'give the text that the file contains' };
  }
  if (text.startsWith('\uFEFF')) {
    return {
      position,
      problem: 'the text begins with a byte order mark (U+FEFF)',
      cure: 'save the file as UTF-8 without a byte order mark',
    };
  }
  const misplaced = misplacedJson(text);
  return misplaced && { position: isJsonForm(text) ? position : { line: 1, column: 1 }, ...misplaced };
}

/** Describes an unknown argument or value, for which the allowed ones are known. */
function wordNotAllowed({ error, text, position, problem }: Fault): FaultDescription | undefined {
  const { kind, received = '', allowed } = error;
  if (!allowed) return undefined;
  const isKey = kind === 'unknown-argument';
  if (isKey && received === 'path' && position) {
    return isJsonForm(text) ? pathInRule(position) : unclosedBefore(position, text);
  }
  const place = isKey ? position : quoted(received, text, position);
  const described = { position: place, problem, word: received };
  if (OF_OPENBAO.includes(received)) {
    return { ...described, cure: `remove ${JSON.stringify(received)}: OpenBao has it, Vault does not` };
  }
  const meant = meantBy(error);
  const cure = `write ${meant ?? `one of ${allowed.join(', ')}`}`;
  return { ...described, cure, namesAllowed: meant === undefined };
}

/** Describes a block or a comment that is still open at the end of the text, where it begins. */
function partNotClosed({ error: { kind }, text, position, problem }: Fault): FaultDescription | undefined {
  if (kind === 'block-not-closed') {
    return { position: unclosedBlock(text) ?? position, problem, cure: CLOSE };
  }
  if (kind !== 'comment-not-terminated') return undefined;
  const start = unclosedComment(text);
  // A path without quotes may contain "/*".
  const isInWord = /\S/.test(text[start - 1] ?? ' ');
  const cause = isInWord ? 'slash-outside-quotes' : kind;
  return { position: positionAt(start, text), problem: PROBLEMS[cause]!, cure: CURES[cause]! };
}

/** Describes a fault whose cause can be seen on the line about which the parser complains. */
function causeOnLine({ error: { kind }, text, position, problem }: Fault): FaultDescription | undefined {
  if (!position) return undefined;
  const line = text.split('\n')[position.line - 1]!;
  if (/^\s*path\s*=\s*"/.test(line)) {
    return { position, problem: '"=" is not allowed after path', cure: 'remove the "=" after path' };
  }
  const illegal = kind === 'illegal-character' ? line[position.column - 1] : undefined;
  if (illegal === "'") return { position, problem, cure: 'write double quotes' };
  if (illegal === ':') return { position, problem, cure: 'write "=" instead of ":"' };
  if (illegal !== undefined && /^\s*path\s+[^\s"{]*$/.test(line.slice(0, position.column - 1))) {
    return { position, problem, cure: CURES['slash-outside-quotes']! };
  }
  return undefined;
}

/** Whether a fault is only a word that a later version or another product may know. */
export function isUnknownSyntax({ kind, received = '', allowed = [] }: AclPolicyError): boolean {
  const isWord = kind === 'unknown-argument' || kind === 'unknown-capability';
  return isWord && isUnknownWord(received, allowed);
}

/**
 * Whether a later version or another product may know an argument or a capability, because it is
 * not similar to any known one.
 */
export function isUnknownWord(word: string, known: readonly string[]): boolean {
  return word !== 'path' && wordFor(word, known) === undefined;
}

/** Returns the argument or capability that was probably meant by an unknown one. */
function meantBy({ kind, received = '', allowed = [] }: AclPolicyError): string | undefined {
  return kind === 'unknown-argument' ? nearestOf(received, allowed) : wordFor(received, allowed);
}

/** Returns the server's complaints in one line, each once. */
function complaintOf({ complaints }: AclPolicyError): string {
  return [...new Set(complaints)].join('; ').trim();
}

function positionOf({ line, column }: AclPolicyError): TextPosition | undefined {
  return line === undefined ? undefined : { line, column: column ?? 1 };
}

/** Returns the word, in double quotes, that was probably meant. */
function wordFor(received: string, allowed: readonly string[]): string | undefined {
  const nearest = nearestOf(received, allowed);
  return SYNONYMS[received.toLowerCase()] ?? (nearest && JSON.stringify(nearest));
}

/** Returns the place of a word in double quotes, the first one after the start of its block. */
function quoted(word: string, text: string, from: TextPosition | undefined): TextPosition | undefined {
  const index = text.indexOf(JSON.stringify(word), from ? offsetOf(from, text) : 0);
  return index < 0 ? from : positionAt(index, text);
}

/**
 * Describes a rule within another rule: the outer block is not closed, even if the text has enough
 * closing braces.
 */
function unclosedBefore(position: TextPosition, text: string): FaultDescription {
  const before = unclosedBlock(text.slice(0, offsetOf(position, text)));
  return { position: before, problem: PROBLEMS['block-not-closed']!, cure: CLOSE };
}

/** Describes a rule of the JSON form with its path as an argument, beside the capabilities. */
function pathInRule(position: TextPosition): FaultDescription {
  return {
    position,
    problem: '"path" is not an argument of a rule',
    cure: 'write the path as the name of its rule: {"path": {"secret/*": {"capabilities": ["read"]}}}',
  };
}

/**
 * Matches a quoted text (up to the end of its line if it is not closed), a comment, a brace, or the
 * start of a rule.
 */
const TOKEN = /"(?:[^"\\\n]|\\.)*"?|#[^\n]*|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|path[ \t]+(?=")|[{}]/y;

/**
 * Returns the start of the first block that is still open at the next rule or at the end of the
 * text.
 */
function unclosedBlock(text: string): TextPosition | undefined {
  const open: number[] = [];
  let start: number | undefined;
  let isLineStart = true;
  for (const { at, token } of tokensOf(text)) {
    if (token.startsWith('path') && isLineStart) {
      start = at;
    } else if (token === '{') {
      open.push(start ?? at);
      start = undefined;
    } else if (token === '}') {
      open.pop();
    }
    isLineStart = token === '\n' || (isLineStart && (token === ' ' || token === '\t'));
  }
  return open[0] === undefined ? undefined : positionAt(open[0], text);
}

/** Returns the start of the comment that is not closed. */
function unclosedComment(text: string): number {
  for (const { at, token } of tokensOf(text)) {
    if (token.startsWith('/*') && !(token.length > 3 && token.endsWith('*/'))) return at;
  }
  return 0;
}

function* tokensOf(text: string): Generator<{ readonly at: number; readonly token: string }> {
  for (let at = 0; at < text.length;) {
    TOKEN.lastIndex = at;
    const token = TOKEN.exec(text)?.[0] ?? text[at]!;
    yield { at, token };
    at += token.length;
  }
}

function offsetOf({ line, column }: TextPosition, text: string): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((length, each) => length + each.length + 1, 0) + column - 1;
}

export function positionAt(index: number, text: string): TextPosition {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
