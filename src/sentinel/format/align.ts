/** The length up to which keys are aligned, whatever the length of their neighbors. */
const SHORT_KEY = 20;
/** The ratio of lengths beyond which a longer key is not aligned with the key before it. */
const LARGEST_RATIO = 4;

/** A line of the result, before values and comments are aligned. */
export interface FormattedLine {
  readonly indent: number;
  readonly code: string;
  /**
   * The index in `code` at which the value of a map's entry starts, if the line consists of the
   * entry.
   */
  readonly value: number | undefined;
  /** A comment after code. */
  readonly comment: string | undefined;
}

/** Aligns the values of maps, and the comments at the ends of lines. */
export function align(lines: readonly FormattedLine[]): readonly string[] {
  const aligned = alignValues(lines);
  return alignComments(lines, aligned).map((code, index) => {
    const indent = lines[index]?.indent ?? 0;
    return code === '' ? '' : '\t'.repeat(indent) + code;
  });
}

function alignValues(lines: readonly FormattedLine[]): readonly string[] {
  const codes = lines.map(({ code }) => code);
  for (const section of sections(lines, continuesEntries)) {
    const widest = Math.max(...section.map((index) => lines[index]?.value ?? 0));
    for (const index of section) {
      const { code, value } = lines[index] ?? {};
      if (code === undefined || value === undefined) continue;
      codes[index] = code.slice(0, value) + ' '.repeat(widest - value) + code.slice(value);
    }
  }
  return codes;
}

function continuesEntries(section: readonly FormattedLine[], line: FormattedLine): boolean {
  const last = section.at(-1);
  if (last?.value === undefined || line.value === undefined || last.indent !== line.indent) return false;
  const [before, size] = [last.value - 2, line.value - 2];
  if (before <= SHORT_KEY && size <= SHORT_KEY) return true;
  const ratio = size / before;
  return ratio > 1 / LARGEST_RATIO && ratio < LARGEST_RATIO;
}

function alignComments(lines: readonly FormattedLine[], codes: readonly string[]): readonly string[] {
  const results = [...codes];
  for (const section of sections(lines, continuesComments)) {
    const widths = section.map((index) => width(codes[index] ?? ''));
    const widest = Math.max(...widths);
    section.forEach((index, at) => {
      const comment = lines[index]?.comment;
      if (comment === undefined) return;
      results[index] = `${codes[index] ?? ''}${' '.repeat(widest - (widths[at] ?? 0) + 1)}${comment}`;
    });
  }
  return results;
}

function continuesComments(section: readonly FormattedLine[], { comment }: FormattedLine): boolean {
  return comment !== undefined && section.at(-1)?.comment !== undefined;
}

function width(text: string): number {
  return Array.from(text).length;
}

/** Returns groups of neighboring lines, by index, that are aligned with each other. */
function sections(
  lines: readonly FormattedLine[],
  continues: (section: readonly FormattedLine[], line: FormattedLine) => boolean,
): readonly (readonly number[])[] {
  const found: number[][] = [];
  let section: FormattedLine[] = [];
  lines.forEach((line, index) => {
    const current = found.at(-1);
    if (current && section.length > 0 && continues(section, line) && line.code !== '') {
      current.push(index);
      section.push(line);
    } else {
      found.push([index]);
      section = [line];
    }
  });
  return found;
}
