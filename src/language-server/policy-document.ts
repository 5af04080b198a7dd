import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Position } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { isTextOfOtherTool } from '../policy/acl-files';

/**
 * The maximum length in characters. Examining a longer text would keep the editor waiting for
 * seconds.
 */
export const LONGEST_DOCUMENT = 1024 * 1024;

/**
 * Returns the language of the policy in a document: `undefined` for files of other tools, which
 * have the same extensions.
 */
export function languageOf(document: TextDocument): 'acl' | 'sentinel' | undefined {
  const name = nameOf(document);
  if (document.languageId === 'sentinel' || name.endsWith('.sentinel')) return 'sentinel';
  return isTextOfOtherTool(name, () => document.getText()) ? undefined : 'acl';
}

/** Returns the name of a document's file for messages. */
export function nameOf({ uri }: TextDocument): string {
  try {
    return basename(fileURLToPath(uri));
  } catch {
    return uri.slice(uri.lastIndexOf('/') + 1);
  }
}

/** Finds the places of a text by lines and columns. */
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
   * Places that are asked for in the order of the text take one pass.
   *
   * @param column in characters, of which some have two units. Both are counted from 1.
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
