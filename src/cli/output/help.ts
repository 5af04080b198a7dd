/** The maximum width in columns. Longer lines are hard to read. */
const WIDEST = 120;

/** The width if there is no terminal. */
const WIDTH = 80;

function helpWidth({
  isTTY,
  columns = WIDTH,
}: {
  readonly isTTY?: boolean;
  readonly columns?: number;
}): number {
  return isTTY ? Math.min(columns, WIDEST) : WIDTH;
}

/** An exit code with its meaning, or a further sentence of the meaning. */
const MEANING = /^( {2}[\d ] {2})(\S.*(?:\n {5}[^\sA-Z].*)*)/gm;

/** Wraps the lines of paragraphs and of exit codes. Other indented lines stay as they are. */
export function filled(text: string, width: number): string {
  return text
    .split('\n\n')
    .map((paragraph) =>
      /(?:^|\n)[ \t]/.test(paragraph)
        ? paragraph.replaceAll(MEANING, (_match, head: string, words: string) => head + fill(words, width, 5))
        : fill(paragraph, width, 0),
    )
    .join('\n\n');
}

function fill(text: string, width: number, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(/\s+/).filter(Boolean)) {
    const line = lines.at(-1);
    if (line !== undefined && indent + line.length + 1 + word.length <= width)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  const start = text.startsWith('\n') ? '\n' : '';
  return start + lines.join(`\n${' '.repeat(indent)}`) + (text.endsWith('\n') ? '\n' : '');
}

/** The options with which Commander prints help: as wide as the terminal. */
export const HELP_OUTPUT = {
  getOutHelpWidth: () => helpWidth(process.stdout),
  getErrHelpWidth: () => helpWidth(process.stderr),
  writeOut: (text: string) => process.stdout.write(filled(text, helpWidth(process.stdout))),
};
