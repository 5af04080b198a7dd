import { basename, extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Position, Range } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
import { isTextOfOtherTool } from '../policy/acl-files';
import { policiesInTerraform, TERRAFORM_EXTENSIONS } from '../policy/terraform/terraform-policies';

/**
 * The maximum length in characters. Examining a longer text would keep the editor waiting for
 * seconds.
 */
export const LONGEST_DOCUMENT = 1024 * 1024;

/** A policy in a document, as a document of its own. */
export interface DocumentPolicy {
  readonly language: 'acl' | 'sentinel';
  /** The document itself, if the policy is all of it. */
  readonly document: TextDocument;
  /** Whether it is a part of a Terraform file, which fills in expressions. */
  readonly isPart: boolean;
  /** Returns where a range of the policy is in the document around it. */
  readonly around: (range: Range) => Range;
  /** Returns a position within the policy, or `undefined` if it is outside. */
  readonly inside: (position: Position) => Position | undefined;
}

/** Returns the policies of a document: none for files of other tools with the same extensions. */
export function policiesIn(document: TextDocument): readonly DocumentPolicy[] {
  const name = nameOf(document);
  if (TERRAFORM_EXTENSIONS.includes(extname(name))) return policiesOfTerraform(document, name);
  const isSentinel = document.languageId === 'sentinel' || name.endsWith('.sentinel');
  if (!isSentinel && isTextOfOtherTool(name, () => document.getText())) return [];
  const language = isSentinel ? 'sentinel' : 'acl';
  return [{ language, document, isPart: false, around: itself, inside: itself }];
}

/** Returns the policy at an offset of a document, and the offset in it. */
export function policyAt(
  document: TextDocument,
  offset: number,
): { readonly policy: DocumentPolicy; readonly offset: number } | undefined {
  if (document.getText().length > LONGEST_DOCUMENT) return undefined;
  const position = document.positionAt(offset);
  for (const policy of policiesIn(document)) {
    const inside = policy.inside(position);
    if (inside) return { policy, offset: policy.document.offsetAt(inside) };
  }
  return undefined;
}

/**
 * Returns the policies of a Terraform file. If a policy is not a heredoc, its lines come from
 * several strings, so only the positions of whole lines are known.
 */
function policiesOfTerraform(document: TextDocument, name: string): readonly DocumentPolicy[] {
  return policiesInTerraform(document.getText(), name).map(({ kind, text, at = itself, start }) => {
    const policy = TextDocument.create(document.uri, kind, document.version, text);
    const placeOf = ({ line, character }: Position): Position => {
      const place = at({ line: line + 1, column: character + 1 });
      return { line: place.line - 1, character: place.column - 1 };
    };
    return {
      language: kind,
      document: policy,
      isPart: true,
      around: ({ start: first, end: last }) => {
        const [from, to] = [placeOf(first), placeOf(last)];
        return { start: from, end: start ? to : endOfLine(document, from) };
      },
      inside: ({ line, character }) => {
        if (!start) return undefined;
        const [row, column] = [line - start.line + 1, character - start.column + 1];
        return row < 0 || row >= policy.lineCount - 1 || column < 0
          ? undefined
          : { line: row, character: column };
      },
    };
  });
}

function endOfLine(document: TextDocument, { line, character }: Position): Position {
  const rest = document.getText({ start: { line, character }, end: { line: line + 1, character: 0 } });
  return { line, character: character + rest.trimEnd().length };
}

function itself<T>(value: T): T {
  return value;
}

/** Returns the name of a document's file for messages. */
export function nameOf({ uri }: TextDocument): string {
  try {
    return basename(fileURLToPath(uri));
  } catch {
    return uri.slice(uri.lastIndexOf('/') + 1);
  }
}

/** Converts between the positions of a text and its offsets. */
export class Places {
  readonly #document: TextDocument;
  readonly #lines: readonly string[];
  readonly #starts: readonly number[];
  #last = { index: 0, column: 1, units: 0 };

  constructor(document: TextDocument) {
    this.#document = document;
    let start = 0;
    this.#lines = document.getText().split('\n');
    this.#starts = this.#lines.map((line) => {
      const own = start;
      start += line.length + 1;
      return own;
    });
  }

  /**
   * Returns the offset of a line and column, both counted from 1. Calls in the order of the text
   * need one pass over each line.
   *
   * @param column in characters, of which some have two UTF-16 units.
   */
  offsetOf(line: number, column: number): number {
    const index = Math.min(line, this.#lines.length) - 1;
    const text = this.#lines[index] ?? '';
    if (this.#last.index !== index || this.#last.column > column) this.#last = { index, column: 1, units: 0 };
    let { column: reached, units } = this.#last;
    for (; reached < column && units < text.length; reached++)
      units += text.codePointAt(units)! > 0xffff ? 2 : 1;
    this.#last = { index, column: reached, units };
    return (this.#starts[index] ?? 0) + units;
  }

  position(offset: number): Position {
    return this.#document.positionAt(offset);
  }

  /** Returns the offset after the last character of the line that contains an offset. */
  endOfLine(offset: number): number {
    const end = this.#document.getText().indexOf('\n', offset);
    return end < 0 ? this.#document.getText().length : end;
  }
}
