/** A line of a policy: its code, and the comment after the code. */
interface Line {
  readonly code: string;
  readonly comment: string;
  /** The number of brackets that it opens, minus the number that it closes. */
  readonly depth: number;
  /** Whether it is within a heredoc or a comment, and not changed. */
  readonly isFixed: boolean;
}

const TOKEN = /"(?:[^"\\\n]|\\.)*"|#[^\n]*|\/\/[^\n]*|\/\*|\*\/|<<-?\w+|[[\]{}()]/g;

/**
 * Writes an ACL policy in the canonical layout: two spaces for each block, the equals signs of
 * neighboring lines aligned, one empty line in place of several. Comments and line breaks stay.
 */
export function formatAcl(text: string): string {
  const lines = linesOf(text);
  const widths = keyWidths(lines);
  const formatted: string[] = [];
  let depth = 0;
  lines.forEach((line, index) => {
    if (line.isFixed) {
      formatted.push(line.code);
      depth += line.depth;
      return;
    }
    const closers = /^[\]})]*/.exec(line.code.replace(/\s/g, ''))?.[0].length ?? 0;
    const code = line.code === '' ? '' : spaced(line.code, widths[index]!);
    const content = [code, line.comment].filter((part) => part !== '').join(' ');
    const indent = '  '.repeat(Math.max(0, depth - closers));
    if (content !== '' || (formatted.length > 0 && formatted.at(-1) !== ''))
      formatted.push(content && indent + content);
    depth += line.depth;
  });
  return `${formatted.join('\n').trimEnd()}\n`;
}

function linesOf(text: string): readonly Line[] {
  let inComment = false;
  let marker: string | undefined;
  return text.split(/\r?\n/).map((raw) => {
    if (marker !== undefined) {
      if (raw.trim() === marker) marker = undefined;
      return { code: raw, comment: '', depth: 0, isFixed: true };
    }
    const wasInComment = inComment;
    let depth = 0;
    let commentAt = raw.length;
    for (let at = 0; at < raw.length;) {
      if (inComment) {
        const end = raw.indexOf('*/', at);
        if (end < 0) break;
        inComment = false;
        at = end + 2;
        continue;
      }
      TOKEN.lastIndex = at;
      const found = TOKEN.exec(raw);
      if (!found) break;
      const [token] = found;
      at = TOKEN.lastIndex;
      if (token === '/*') inComment = true;
      else if (/^(?:#|\/\/)/.test(token)) commentAt = found.index;
      else if (token.startsWith('<<')) marker = token.replace(/^<<-?/, '');
      else if ('[{('.includes(token)) depth++;
      else if (')}]'.includes(token)) depth--;
    }
    const isFixed = wasInComment || (inComment && !/^\s*\/\*/.test(raw));
    if (isFixed) return { code: raw.trimEnd(), comment: '', depth, isFixed };
    return { code: raw.slice(0, commentAt).trim(), comment: raw.slice(commentAt).trimEnd(), depth, isFixed };
  });
}

const ATTRIBUTE = /^("(?:[^"\\]|\\.)*"|[\w.-]+)\s*=(.*)$/;

/**
 * Returns for each line the width of the longest key among the neighboring attributes; 0 for lines
 * without an attribute.
 */
function keyWidths(lines: readonly Line[]): readonly number[] {
  const widths = lines.map(({ isFixed, depth, code }) =>
    isFixed || depth !== 0 ? 0 : (ATTRIBUTE.exec(code)?.[1]?.length ?? 0),
  );
  for (let start = 0; start < widths.length; start++) {
    let end = start;
    let widest = 0;
    while (end < widths.length && widths[end]! > 0) widest = Math.max(widest, widths[end++]!);
    widths.fill(widest, start, end);
    start = end;
  }
  return widths;
}

function spaced(code: string, width: number): string {
  const attribute = ATTRIBUTE.exec(code);
  if (attribute) {
    const [, key = '', value = ''] = attribute;
    return `${key.padEnd(width)} = ${listSpaced(value.trimStart())}`;
  }
  const block = /^(\w+)\s+("(?:[^"\\]|\\.)*")\s*\{(.*)$/.exec(code);
  if (!block) return listSpaced(code);
  const [, type = '', label = '', rest = ''] = block;
  return `${type} ${label} {${rest.trim() === '' ? '' : ` ${rest.trim()}`}`;
}

/** Writes `["a","b"]` as `["a", "b"]`; other values stay. */
function listSpaced(value: string): string {
  if (!/^\[\s*(?:"(?:[^"\\]|\\.)*"\s*(?:,\s*)?)*\],?$/.test(value)) return value;
  const elements = [...value.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([element]) => element);
  return `[${elements.join(', ')}]${value.endsWith(',') ? ',' : ''}`;
}
