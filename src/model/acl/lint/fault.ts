import type { TextPosition } from '../../definition/field';
import type { AclPolicyError } from '../errors';
import { nearestOf } from '../../../text';

/** Why the server refuses a policy, and what to do. */
export interface FaultDescription {
  /** Where the fault is. Absent if the place is not known. */
  readonly position?: TextPosition;
  readonly cure: string;
}

const UNKNOWN_CURE = 'correct the policy document';

/** What people write for capabilities that have other names. */
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

/** What only OpenBao has. */
const OF_OPENBAO = ['scan', 'expiration', 'pagination_limit', 'list_scan_response_keys_filter_path'];

/** What a part of the server's words means for the person who wrote the text. */
const CURES: readonly (readonly [RegExp, string])[] = [
  [/unknown slice type: \*ast\.LiteralType/, 'write the value as a list: ["…"]'],
  [/unexpected token while parsing list: IDENT/, 'put each word of the list in double quotes'],
  [/expected comma or list end, got: (STRING|NUMBER|IDENT)/, 'separate the values of the list with commas'],
  [/expected '\/' for comment/, 'write the path in double quotes'],
  [/error parsing list/, 'close the list with "]"'],
  [/got: LBRACK/, 'write "=" before the list'],
  [
    /expected: IDENT \| STRING \| ASSIGN \| LBRACE got: RBRACE/,
    'remove the "}", or open the block that it closes',
  ],
  [/literal not terminated/, 'close the double quotes'],
  [/comment not terminated/, 'close the comment with "*/"'],
  [/nested object expected: LBRACE got: ASSIGN/, 'remove the "=" after the path'],
  [/'\+\*' is forbidden/, 'write "+/*" for a segment and all below it, or "*" for any suffix'],
  [/unbalanced templating characters/, 'close each "{{" with "}}"'],
  [/not an object type for map/, 'write a block: { "name" = ["value"] }'],
  [/error parsing (min|max)_wrapping_ttl/, 'write a duration such as "5m"'],
  [/no control group factors? provided/, 'add a factor with an identity and its approvals'],
  [/max_wrapping_ttl cannot be less/, 'make max_wrapping_ttl at least as long as min_wrapping_ttl'],
];

/** Describes a fault of a policy for the person who wrote it. */
export function describeFault(error: AclPolicyError, text: string): FaultDescription {
  const { message, received, allowed } = error;
  const position = positionOf(error);
  if (received !== undefined && allowed) {
    const isKey = /invalid key/.test(message);
    const place = isKey ? position : quoted(received, text, position);
    if (OF_OPENBAO.includes(received))
      return { position: place, cure: `remove ${JSON.stringify(received)}: OpenBao has it, Vault does not` };
    const meant = isKey ? nearestOf(received, allowed) : wordFor(received, allowed);
    return { position: place, cure: meant === undefined ? UNKNOWN_CURE : `write ${meant}` };
  }
  if (/closing RBRACE got: EOF/.test(message)) {
    return { position: unclosedBlock(text) ?? position, cure: 'close the block with "}"' };
  }
  const line = position ? text.split('\n')[position.line - 1]! : '';
  if (/^\s*path\s*=\s*"/.test(line)) return { position, cure: 'remove the "=" after path' };
  const illegal = /illegal char/.test(message) ? line[position!.column - 1] : undefined;
  if (illegal === "'") return { position, cure: 'write double quotes' };
  if (illegal === ':') return { position, cure: 'write "=" instead of ":"' };
  const cure = CURES.find(([pattern]) => pattern.test(message))?.[1] ?? UNKNOWN_CURE;
  return { position: position ?? placeOfPath(message, text), cure };
}

function positionOf({ line, column }: AclPolicyError): TextPosition | undefined {
  return line === undefined ? undefined : { line, column: column ?? 1 };
}

/** What is meant by a word in double quotes. */
function wordFor(received: string, allowed: readonly string[]): string | undefined {
  const nearest = nearestOf(received, allowed);
  return SYNONYMS[received.toLowerCase()] ?? (nearest === undefined ? undefined : JSON.stringify(nearest));
}

/** The place of a word in double quotes, the first one behind the start of its block. */
function quoted(word: string, text: string, from: TextPosition | undefined): TextPosition | undefined {
  const index = text.indexOf(JSON.stringify(word), from ? offsetOf(from, text) : 0);
  return index < 0 ? from : positionAt(index, text);
}

function placeOfPath(message: string, text: string): TextPosition | undefined {
  const [, path] = /^path ("(?:[^"\\]|\\.)*")/.exec(message) ?? [];
  const index = path === undefined ? -1 : text.indexOf(path);
  return index < 0 ? undefined : positionAt(index, text);
}

/** The first block that is still open where the next rule begins, or the text ends. */
function unclosedBlock(text: string): TextPosition | undefined {
  const open: number[] = [];
  const tokens =
    /"(?:[^"\\\n]|\\.)*"|#[^\n]*|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*)|^[ \t]*path[ \t]+(?=")|[{}]/gm;
  let start: number | undefined;
  for (const { 0: token, index } of text.matchAll(tokens)) {
    if (token.trim() === 'path') {
      start = index + token.indexOf('path');
    } else if (token === '{') {
      open.push(start ?? index);
      start = undefined;
    } else if (token === '}') {
      open.pop();
    }
  }
  return open[0] === undefined ? undefined : positionAt(open[0], text);
}

function offsetOf({ line, column }: TextPosition, text: string): number {
  const before = text.split('\n').slice(0, line - 1);
  return before.reduce((length, each) => length + each.length + 1, 0) + column - 1;
}

function positionAt(index: number, text: string): TextPosition {
  const lines = text.slice(0, index).split('\n');
  return { line: lines.length, column: lines.at(-1)!.length + 1 };
}
