/**
 * The form of a value that only Terraform knows:
 *
 * - `path`: one or more whole segments, or a part of one segment, without wildcards
 * - `mount`: the same, with a slash at the end where the text ends
 * - `segment`: a name, without slashes
 * - `label`: a part of the name of a host or of a path at a cloud
 * - `host`: the whole address, or a label of it
 * - `word`: the whole expression, or a word of it
 */
export type LateRule = 'path' | 'mount' | 'segment' | 'label' | 'host' | 'word';

/**
 * The characters beside a late value: empty at the end of the text, `?` beside another late value.
 */
export interface Neighbors {
  readonly before: string;
  readonly after: string;
}

// A segment is neither `.` nor `..`. Expressions of RE2 have no look-ahead.
const NAME = segmentOf('/');
const SEGMENT = segmentOf('/*+{}');
const LABEL = '[A-Za-z0-9_][A-Za-z0-9._:-]*';
const WORD = '[A-Za-z0-9_.:/@-]+';

/** Returns the regular expression for a value; `undefined` if every value is allowed. */
export function patternOf(rule: LateRule, neighbors: Neighbors): string | undefined {
  const alone = neighbors.before === '' && neighbors.after === '';
  switch (rule) {
    case 'path':
    case 'mount': {
      if (!isWhole(neighbors)) return `^${SEGMENT}$`;
      const end = rule === 'mount' && neighbors.after === '' ? '/?' : '';
      return `^${SEGMENT}(?:/${SEGMENT})*${end}$`;
    }
    case 'segment':
      return `^${NAME}$`;
    case 'label':
      return `^${LABEL}$`;
    case 'host':
      return alone ? undefined : `^${LABEL}$`;
    case 'word':
      return alone ? undefined : `^${WORD}$`;
  }
}

/** Returns a description of the allowed values, for a message. */
export function allowedValue(rule: LateRule, neighbors: Neighbors): string {
  switch (rule) {
    case 'path':
    case 'mount':
      return isWhole(neighbors)
        ? 'one or more segments of a path, none of them empty, . or .., without *, +, { and }'
        : 'a part of one segment of a path: not empty, . or .., without /, *, +, { and }';
    case 'segment':
      return 'a name that is not empty, . or .., without /';
    case 'label':
    case 'host':
      return 'letters, digits, ., _, : and -, of which the first is a letter, a digit or _';
    case 'word':
      return 'letters, digits, _, ., :, /, @ and -';
  }
}

/** Returns the code with which the author of the app allows any value. */
export function codeForAnyValue(rule: LateRule): string {
  return rule === 'path' ? 'PolicyStatement.pattern(value)' : 'LateValue.trust(value)';
}

function isWhole({ before, after }: Neighbors): boolean {
  return ['', '/'].includes(before) && ['', '/'].includes(after);
}

/**
 * Returns the regular expression of a segment.
 *
 * @param others the characters that a segment does not have.
 */
function segmentOf(others: string): string {
  return `(?:[^.${others}]|[.][^.${others}]|[.][.][^${others}])[^${others}]*`;
}
