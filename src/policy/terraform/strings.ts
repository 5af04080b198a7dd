import type { TextPosition } from '../../model';

/** A string in a Terraform file, with its context. */
export interface TerraformString {
  /** The text as Terraform reads it, with its expressions. */
  readonly text: string;
  /** Returns where a line and column of the text are in the file. */
  readonly at: (position: TextPosition) => TextPosition;
  /**
   * The start of the text of a heredoc. The following lines and columns are those of the file.
   * Absent for quoted strings.
   */
  readonly start?: TextPosition | undefined;
  /** The blocks around the string, outermost first. */
  readonly blocks: readonly TerraformBlock[];
  /** The argument whose value it is, or is a part of. */
  readonly argument: string;
  /** The function whose first argument it is: `file`. */
  readonly call: string | undefined;
  /** Whether the value of the argument begins with the string. */
  readonly isFirst: boolean;
  /** Whether the value of the argument begins with the call of the function. */
  readonly isFirstCall: boolean;
}

/** A document that is the value of an argument: `data.vault_policy_document.app.hcl`. */
interface DocumentReference {
  /** The label of the document: `app`. */
  readonly document: string;
  readonly blocks: readonly TerraformBlock[];
  readonly argument: string;
}

/** The parts of a Terraform file that policies consist of. */
interface TerraformParts {
  readonly strings: readonly TerraformString[];
  readonly references: readonly DocumentReference[];
}

/** A block such as `resource "vault_policy" "app" { … }`. */
export interface TerraformBlock {
  /** The words before the brace: `resource`, `vault_policy`, `app`. */
  readonly words: readonly string[];
}

const TOKEN = new RegExp(
  [
    String.raw`(?<comment>#[^\n]*|\/\/[^\n]*|\/\*(?:[\s\S]*?\*\/|[\s\S]*))`,
    String.raw`(?<heredoc><<-?(?<word>[A-Za-z_]\w*)[ \t]*\r?\n)`,
    String.raw`(?<quote>")`,
    String.raw`(?<name>[A-Za-z_][\w-]*)`,
    String.raw`(?<end>\r?\n)`,
    String.raw`(?<sign>[={}()[\],.?:])`,
  ].join('|'),
  'gy',
);

/** The maximum depth of blocks. Terraform has no deeper ones. */
const DEEPEST = 16;

interface Scope {
  /**
   * The blocks around the scope. If the scope is a block itself, it is the last of them; objects
   * and lists are none.
   */
  readonly blocks: readonly TerraformBlock[];
  readonly argument: string;
}

/**
 * Finds the strings of a Terraform file, quoted ones and heredocs, and the references to documents.
 * The file is parsed loosely, and invalid parts are skipped.
 */
export function terraformParts(source: string): TerraformParts {
  const found: TerraformString[] = [];
  const references: DocumentReference[] = [];
  const scopes: Scope[] = [];
  let words: string[] = [];
  let argument = '';
  let call: string | undefined;
  let isFirst = false;
  const positionAt = forwardPositions(source);
  const blocksHere = () => scopes.at(-1)?.blocks ?? [];
  const add = (text: string, at: TerraformString['at'], start?: TextPosition) => {
    const blocks = blocksHere();
    const isFirstCall = call !== undefined && words.length === 1;
    found.push({ text, at, start, blocks, argument, call, isFirst, isFirstCall });
    isFirst = false;
  };
  for (let index = 0; index < source.length;) {
    TOKEN.lastIndex = index;
    const groups = TOKEN.exec(source)?.groups;
    if (!groups) {
      index++;
      continue;
    }
    const start = index;
    index = TOKEN.lastIndex;
    const { heredoc, word = '', quote, name, sign, end } = groups;
    if (heredoc !== undefined) {
      const read = readHeredoc(source, index, word);
      const first = positionAt(index).line;
      const indent = heredoc.startsWith('<<-') ? indentOf(read.lines) : 0;
      const at = ({ line, column }: TextPosition) => ({ line: first + line - 1, column: column + indent });
      const text = read.lines.map((line) => `${line.slice(indent)}\n`).join('');
      add(text, at, at({ line: 1, column: 1 }));
      index = read.end;
    } else if (quote !== undefined) {
      const read = readQuoted(source, index);
      const place = positionAt(start);
      add(read.text, () => place);
      words.push(read.text);
      index = read.end;
      call = undefined;
    } else if (name !== undefined) {
      isFirst = false;
      words.push(name);
      const [scope, type, document = '', attribute] = words.slice(-4);
      if (scope === 'data' && type === 'vault_policy_document' && attribute === 'hcl') {
        references.push({ document, blocks: blocksHere(), argument });
      }
    } else if (end !== undefined) {
      words = [];
      call = undefined;
    } else if (sign === '=') {
      argument = words.at(-1) ?? '';
      isFirst = true;
      words = [];
    } else if (sign === '(') {
      call = words.at(-1);
    } else if (sign === '{') {
      const isBlock = words.length > 0 && source[index] !== '=';
      const around = blocksHere();
      const isTold = isBlock && around.length < DEEPEST;
      scopes.push({ blocks: isTold ? [...around, { words }] : around, argument });
      words = [];
    } else if (sign === '}') {
      argument = scopes.pop()?.argument ?? '';
      words = [];
    } else {
      call = undefined;
    }
  }
  return { strings: found, references };
}

function readHeredoc(
  source: string,
  from: number,
  word: string,
): { readonly lines: readonly string[]; readonly end: number } {
  const lines: string[] = [];
  for (let index = from; index < source.length;) {
    const newline = source.indexOf('\n', index);
    const end = newline < 0 ? source.length : newline;
    const line = source.slice(index, end).replace(/\r$/, '');
    if (line.trim() === word) return { lines, end };
    lines.push(line);
    index = end + 1;
  }
  return { lines, end: source.length };
}

function indentOf(lines: readonly string[]): number {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)![0].length);
  return indents.reduce((least, indent) => Math.min(least, indent), indents[0] ?? 0);
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

function readQuoted(source: string, from: number): { readonly text: string; readonly end: number } {
  let text = '';
  let depth = 0;
  for (let index = from; index < source.length; index++) {
    const char = source[index]!;
    if (depth > 0) {
      depth += Number(char === '{') - Number(char === '}');
      text += char;
    } else if (char === '"' || char === '\n') {
      return { text, end: char === '"' ? index + 1 : index };
    } else if (char === '\\') {
      const escaped = source[++index] ?? '';
      text += ESCAPES[escaped] ?? escaped;
    } else {
      if ((char === '$' || char === '%') && source[index + 1] === '{') {
        depth = 1;
        text += source[index++]!;
        text += '{';
        continue;
      }
      text += char;
    }
  }
  return { text, end: source.length };
}

/**
 * Returns a function that converts indexes of a text to positions. Each index must be at least the
 * previous one.
 */
function forwardPositions(source: string): (index: number) => TextPosition {
  let line = 1;
  let start = 0;
  let end = source.indexOf('\n');
  return (index) => {
    for (; end >= 0 && end < index; end = source.indexOf('\n', start)) {
      line++;
      start = end + 1;
    }
    return { line, column: index - start + 1 };
  };
}
