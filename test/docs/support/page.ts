import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(__dirname, '..', '..', '..');

/** The text between two fences of a page. */
export interface Block {
  /** The word after the opening fence, such as `sh`. */
  readonly language: string;
  readonly text: string;
  /** The heading above the block, without its `#`. */
  readonly heading: string;
  /** The line of text directly above the block, if there is one. */
  readonly leadIn: string;
}

const FENCE = /^( *)```(\S*)$/;

/** The fenced blocks of a page, in the order in which they are read. */
export function blocksOf(page: string): readonly Block[] {
  const blocks: Block[] = [];
  let heading = '';
  let leadIn = '';
  let open: { indent: string; language: string; lines: string[] } | undefined;
  for (const line of readFileSync(join(ROOT, page), 'utf8').split('\n')) {
    const [fence, indent = '', language = ''] = FENCE.exec(line) ?? [];
    if (open) {
      if (fence === undefined) {
        open.lines.push(line.startsWith(open.indent) ? line.slice(open.indent.length) : line);
        continue;
      }
      blocks.push({ language: open.language, text: `${open.lines.join('\n')}\n`, heading, leadIn });
      open = undefined;
      leadIn = '';
    } else if (fence !== undefined) open = { indent, language, lines: [] };
    else if (line.startsWith('#')) heading = line.replace(/^#+ /, '');
    else if (line.trim()) leadIn = line.trim();
  }
  return blocks;
}

/**
 * Returns the texts of all blocks of one language.
 *
 * @throws Error if the page does not have `count` blocks, since no test would try an added block
 */
export function textsOf(page: string, language: string, count: number): readonly string[] {
  const texts = blocksOf(page)
    .filter((block) => block.language === language)
    .map(({ text }) => text);
  if (texts.length !== count) {
    throw new Error(`${page} has ${texts.length} blocks in ${language}, of which this test runs ${count}`);
  }
  return texts;
}
