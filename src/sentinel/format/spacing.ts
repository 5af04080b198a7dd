import type { Expression, File } from '../ast/nodes';
import { expressionsOf } from '../ast/within';
import type { SentinelToken } from '../scanner/tokens';

/** The roles of brackets, colons and signs, which do not follow from the tokens alone. */
export class PunctuationRoles {
  readonly #signs = new Set<number>();
  readonly #mapBraces = new Set<number>();
  readonly #sequenceClosers = new Set<number>();
  readonly #entries: { readonly from: number; readonly to: number }[] = [];
  readonly #slices: { readonly from: number; readonly to: number; readonly isSpaced: boolean }[] = [];

  constructor(file: File) {
    for (const expression of expressionsOf(file)) this.#record(expression);
    this.#entries.sort((a, b) => a.from - b.from);
    this.#slices.sort((a, b) => a.from - b.from);
  }

  /** Whether a `+`, `-` or `!` is directly in front of its operand. */
  isSign(offset: number): boolean {
    return this.#signs.has(offset);
  }

  /** Whether a brace belongs to a map, and not to a block or a body. */
  isMapBrace(offset: number): boolean {
    return this.#mapBraces.has(offset);
  }

  /** Whether a bracket closes elements between commas. */
  isSequenceCloser(offset: number): boolean {
    return this.#sequenceClosers.has(offset);
  }

  /** Whether a colon stands between the key and the value of a map's entry. */
  isEntryColon(offset: number): boolean {
    return within(this.#entries, offset) !== undefined;
  }

  /** Returns the slice that a colon belongs to. */
  slice(offset: number): { readonly isSpaced: boolean } | undefined {
    return within(this.#slices, offset);
  }

  #record(expression: Expression): void {
    switch (expression.kind) {
      case 'unary':
        if (expression.written !== 'not') this.#signs.add(expression.start);
        return;
      case 'map':
        this.#mapBraces.add(expression.start).add(expression.end - 1);
        this.#sequenceClosers.add(expression.end - 1);
        for (const { key, value } of expression.entries)
          this.#entries.push({ from: key.end, to: value.start });
        return;
      case 'list':
      case 'call':
        this.#sequenceClosers.add(expression.end - 1);
        return;
      case 'slice': {
        const { object, from, to, end } = expression;
        const isSpaced =
          from !== undefined && to !== undefined && [from, to].some(({ kind }) => kind === 'binary');
        this.#slices.push({ from: from?.end ?? object.end, to: to?.start ?? end, isSpaced });
        return;
      }
      default:
        return;
    }
  }
}

/**
 * Returns the smallest range that contains an offset. The ranges are sorted, and nested or
 * separate.
 */
function within<T extends { readonly from: number; readonly to: number }>(
  ranges: readonly T[],
  offset: number,
): T | undefined {
  let low = 0;
  let high = ranges.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((ranges[middle]?.from ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  const range = ranges[low - 1];
  return range && offset < range.to ? range : undefined;
}

const TIGHT_AFTER: ReadonlySet<string> = new Set(['(', '[', '.']);
const TIGHT_BEFORE: ReadonlySet<string> = new Set([')', ']', ',', '.', ';']);
const SUFFIXED: ReadonlySet<string> = new Set([')', ']', '}']);

/** Whether two tokens of a line have a space between them. */
export function needsSpace(before: SentinelToken, token: SentinelToken, roles: PunctuationRoles): boolean {
  // Without the space, the dot would become a part of the number.
  if (isOperator(token) && token.text === '.' && (before.kind === 'int' || before.kind === 'float'))
    return true;
  if (TIGHT_BEFORE.has(token.text) && token.kind !== 'string') return false;
  if (isOperator(before) && TIGHT_AFTER.has(before.text)) return false;
  if (isOperator(before) && roles.isSign(before.start)) return false;
  if (isOperator(token) && token.text === '(') return !isOperand(before) && before.text !== 'func';
  if (isOperator(token) && token.text === '[') return !isOperand(before);
  if (isOperator(token) && token.text === ':') return roles.slice(token.start)?.isSpaced ?? false;
  if (isOperator(before) && before.text === ':') return roles.slice(before.start)?.isSpaced ?? true;
  if (isOperator(before) && before.text === '{') return !roles.isMapBrace(before.start) && !isClosing(token);
  if (isOperator(token) && token.text === '}') return !roles.isMapBrace(token.start);
  return true;
}

function isOperator({ kind }: SentinelToken): boolean {
  return kind === 'operator';
}

function isClosing(token: SentinelToken): boolean {
  return isOperator(token) && token.text === '}';
}

/** Whether a bracket after a token is an index or a call. */
function isOperand(token: SentinelToken): boolean {
  if (token.kind === 'operator') return SUFFIXED.has(token.text);
  return token.kind === 'identifier' || token.kind === 'string';
}
