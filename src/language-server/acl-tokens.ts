/**
 * A token of an ACL policy in HCL. The policy may be incomplete, because somebody is writing it.
 */
interface Token {
  readonly kind: 'text' | 'word' | 'mark' | 'line-end';
  readonly text: string;
  /** The offset of the first character. */
  readonly start: number;
  /** The offset after the last character. */
  readonly end: number;
}

/** A text in quotes. */
export interface QuotedText {
  /** The offset of the first character after the quotes. */
  readonly start: number;
  /** The offset of the closing quotes, or the end of the line if they are missing. */
  readonly end: number;
  readonly value: string;
}

/** A block `path "…" { … }`. */
export interface AclBlock {
  readonly start: number;
  /** The offset after the closing brace, or the end of the text if the brace is missing. */
  readonly end: number;
  readonly path: QuotedText;
  /** The offset after the opening brace. */
  readonly bodyStart: number;
  /** The list of its capabilities. */
  readonly capabilities?: { readonly start: number; readonly elements: readonly QuotedText[] };
}

/** The kind of text at a place of a policy. */
type Context =
  | { readonly kind: 'top' }
  | { readonly kind: 'path'; readonly text: QuotedText }
  | { readonly kind: 'argument'; readonly word: string }
  | {
      readonly kind: 'value';
      /** The argument; for an entry of a map, the argument whose value the map is. */
      readonly argument: string;
      /** Whether it is the name of an entry of a map. */
      readonly isKey: boolean;
      readonly text: QuotedText | undefined;
    };

const TOKEN =
  /[ \t\r]+|#[^\n]*|\/\/[^\n]*|\/\*(?:[^*]|\*(?!\/))*(?:\*\/)?|"(?:[^"\\\n]|\\[^\n])*\\?"?|[\w.-]+|\n|[^]/y;

/** The beginning of a heredoc: a text of several lines, which ends at a line with the same word. */
const HEREDOC = /<<-?([\w.-]+)[ \t]*\r?\n/y;

/** An open bracket, and the argument or rule to which it belongs. */
interface Open {
  readonly bracket: string;
  /** The first word before the bracket. */
  readonly argument: string;
  readonly rule: { path: QuotedText; start: number; bodyStart: number } | undefined;
}

/** The rules of a policy, and the kind of text at each of its places. */
export class AclText {
  readonly rules: readonly AclBlock[];
  readonly #places: readonly { readonly token: Token; readonly context: Context }[];

  constructor(text: string) {
    const found = read(text);
    this.rules = found.rules;
    this.#places = found.places;
  }

  /** Returns the kind of text at an offset. */
  at(offset: number): Context {
    return lastBefore(this.#places, offset, ({ token }) => token.start)?.context ?? { kind: 'top' };
  }

  /** Returns the rule that contains an offset. */
  ruleAt(offset: number): AclBlock | undefined {
    const rule = lastBefore(this.rules, offset + 1, ({ start }) => start);
    return rule && offset <= rule.end ? rule : undefined;
  }
}

/** Returns the last of some sorted parts that starts before an offset. */
function lastBefore<T>(parts: readonly T[], offset: number, startOf: (part: T) => number): T | undefined {
  let [low, high] = [0, parts.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (startOf(parts[middle]!) < offset) low = middle + 1;
    else high = middle;
  }
  return parts[low - 1];
}

function read(text: string): {
  readonly rules: readonly AclBlock[];
  readonly places: readonly { readonly token: Token; readonly context: Context }[];
} {
  const rules: AclBlock[] = [];
  const places: { readonly token: Token; readonly context: Context }[] = [];
  const open: Open[] = [];
  let lists: QuotedText[] | undefined;
  let capabilities: AclBlock['capabilities'];
  /** The words of the statement up to the token, and whether a `=` followed them. */
  let words: Token[] = [];
  let isAssigned = false;
  const finish = (end: number) => {
    const { rule } = open.pop()!;
    if (!rule) return;
    rules.push({ ...rule, end, ...(capabilities && { capabilities }) });
    capabilities = undefined;
  };
  for (const token of tokensOf(text)) {
    const { kind, text: written, end } = token;
    const around = open.at(-1);
    if (kind === 'line-end') {
      if (around?.bracket !== '[') [words, isAssigned] = [[], false];
    } else if (kind === 'mark' && (written === '{' || written === '[')) {
      const [first, label] = words;
      const isRule = written === '{' && open.length === 0 && first?.text === 'path' && label?.kind === 'text';
      const argument = first ? unquoted(first) : (around?.argument ?? '');
      const rule = isRule ? { path: quoted(label), start: first.start, bodyStart: end } : undefined;
      const isOfRule = around?.rule !== undefined;
      open.push({ bracket: written, argument: around && !isOfRule ? around.argument : argument, rule });
      if (written === '[' && isOfRule && argument === 'capabilities') {
        lists = [];
        capabilities = { start: end, elements: lists };
      }
      [words, isAssigned] = [[], false];
    } else if (kind === 'mark' && (written === '}' || written === ']')) {
      if (around) finish(end);
      lists = undefined;
      [words, isAssigned] = [[], false];
    } else if (kind === 'mark' && (written === '=' || written === ':')) {
      isAssigned = true;
    } else if (kind === 'text' && around?.bracket === '[') {
      lists?.push(quoted(token));
    } else if (kind !== 'mark') {
      words.push(token);
    }
    places.push({ token, context: contextOf(token, open, words, isAssigned) });
  }
  while (open.length > 0) finish(text.length);
  return { rules: rules.sort((a, b) => a.start - b.start), places };
}

/** Returns what a token is, or what may follow it. */
function contextOf(
  token: Token,
  open: readonly Open[],
  words: readonly Token[],
  isAssigned: boolean,
): Context {
  const text = token.kind === 'text' ? quoted(token) : undefined;
  const around = open.at(-1);
  if (!around) {
    const isPath = words[0]?.text === 'path' && text !== undefined && words.length === 2;
    return isPath ? { kind: 'path', text } : { kind: 'top' };
  }
  const { bracket, argument } = around;
  if (bracket === '[') return { kind: 'value', argument, isKey: false, text };
  if (around.rule === undefined) return { kind: 'value', argument, isKey: !isAssigned, text };
  const [first] = words;
  if (isAssigned && first) return { kind: 'value', argument: unquoted(first), isKey: false, text };
  return { kind: 'argument', word: first ? unquoted(first) : '' };
}

function* tokensOf(text: string): Generator<Token> {
  for (let start = 0, end = 0; start < text.length; start = end) {
    end = endOfHeredoc(text, start);
    if (end > start) {
      yield { kind: 'word', text: text.slice(start, end), start, end };
      continue;
    }
    TOKEN.lastIndex = start;
    const found = TOKEN.exec(text)![0];
    end = start + found.length;
    if (/^(?:[ \t\r#]|\/[/*])/.test(found)) continue;
    const kind =
      found === '\n' ? 'line-end' : found.startsWith('"') ? 'text' : /^[\w.-]/.test(found) ? 'word' : 'mark';
    yield { kind, text: found, start, end };
  }
}

/** Returns the offset at which a heredoc ends, or the same offset if none begins there. */
function endOfHeredoc(text: string, start: number): number {
  HEREDOC.lastIndex = start;
  const [opening, word] = HEREDOC.exec(text) ?? [];
  if (opening === undefined) return start;
  for (let line = start + opening.length; line < text.length;) {
    const newline = text.indexOf('\n', line);
    const end = newline < 0 ? text.length : newline;
    if (text.slice(line, end).trim() === word) return end;
    line = end + 1;
  }
  return text.length;
}

function quoted({ text, start, end }: Token): QuotedText {
  const isClosed = text.length > 1 && text.endsWith('"');
  const [from, to] = [start + 1, isClosed ? end - 1 : end];
  return { start: from, end: to, value: text.slice(1, isClosed ? -1 : undefined) };
}

function unquoted(token: Token): string {
  return token.kind === 'text' ? quoted(token).value : token.text;
}
