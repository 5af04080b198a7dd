import { escapeExpression } from '../../../text';

/**
 * Paths of a backend that share a property. A final `*` matches any ending, a whole segment `+` any
 * segment.
 */
export class PathSet {
  readonly #exact = new Set<string>();
  readonly #prefixes: string[] = [];
  readonly #expressions: RegExp[] = [];

  constructor(patterns: readonly string[] = []) {
    for (const pattern of patterns) {
      if (pattern.split('/').includes('+')) this.#expressions.push(expressionFor(pattern));
      else if (pattern.endsWith('*')) this.#prefixes.push(pattern.slice(0, -1));
      else this.#exact.add(pattern);
    }
  }

  has(path: string): boolean {
    return (
      this.#exact.has(path) ||
      this.#prefixes.some((prefix) => path.startsWith(prefix)) ||
      this.#expressions.some((expression) => expression.test(path))
    );
  }
}

function expressionFor(pattern: string): RegExp {
  const isPrefix = pattern.endsWith('*');
  const segments = (isPrefix ? pattern.slice(0, -1) : pattern).split('/');
  const source = segments.map((segment) => (segment === '+' ? '[^/]+' : escapeExpression(segment))).join('/');
  return new RegExp(`^${source}${isPrefix ? '' : '$'}`);
}
