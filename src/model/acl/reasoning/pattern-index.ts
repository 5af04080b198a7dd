import type { Effort } from '../effort';
import { hasAnyCase, inLowerCase, overlap, type PathPattern } from './pattern';

/** Values by texts, found by the beginnings of the texts. */
class ByText<Value> {
  readonly #values = new Map<string, Value>();
  #sorted: readonly string[] | undefined;
  /** The lengths that texts have. */
  readonly #lengths = new Set<number>();

  get size(): number {
    return this.#values.size;
  }

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    this.#values.set(text, value);
    this.#lengths.add(text.length);
    this.#sorted = undefined;
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }

  /** Yields the values of all texts with which the given one begins. */
  *beginningsOf(text: string, effort: Effort): Generator<Value> {
    effort.spend(this.#lengths.size);
    for (const length of this.#lengths) {
      if (length > text.length) continue;
      const value = this.#values.get(text.slice(0, length));
      if (value !== undefined) yield value;
    }
  }

  /** Yields the values of all texts that begin with the given one. */
  *startingWith(text: string, effort: Effort): Generator<Value> {
    const sorted = (this.#sorted ??= [...this.#values.keys()].sort());
    for (let at = firstNotBefore(text, sorted); at < sorted.length; at++) {
      const found = sorted[at]!;
      if (!found.startsWith(text)) return;
      effort.spend(1);
      yield this.#values.get(found)!;
    }
  }

  /** Yields the values of all texts with which a segment of a pattern may begin. */
  *meeting(text: string, open: boolean, effort: Effort): Generator<Value> {
    if (!open) {
      yield* this.beginningsOf(text, effort);
      return;
    }
    yield* this.startingWith(text, effort);
    for (const value of this.beginningsOf(text, effort)) {
      if (value !== this.#values.get(text)) yield value;
    }
  }
}

function firstNotBefore(text: string, sorted: readonly string[]): number {
  let [low, high] = [0, sorted.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (sorted[middle]! < text) low = middle + 1;
    else high = middle;
  }
  return low;
}

interface Node {
  /** The nodes after a segment with a certain text. */
  readonly closed: ByText<Node>;
  /** The nodes after an open segment, by the text that it begins with. */
  readonly open: ByText<Node>;
  /** Patterns that end here. */
  readonly ends: number[];
  /**
   * Patterns that end in the next segment and match everything that begins with it, by the text of
   * that segment.
   */
  readonly prefixes: ByText<number[]>;
}

/**
 * Finds the patterns that have paths in common with a given one. Nearly all patterns of a set
 * differ in a segment.
 */
export class PatternIndex {
  readonly #patterns: readonly PathPattern[];
  readonly #root: Node;
  readonly #hasAnyCase: boolean;
  /** The patterns in lower case, for those that match in any case. */
  #inLowerCase: Node | undefined;

  constructor(patterns: readonly PathPattern[]) {
    this.#patterns = patterns;
    this.#hasAnyCase = patterns.some(hasAnyCase);
    this.#root = this.#hasAnyCase ? emptyNode() : nodeOf(patterns);
  }

  /**
   * Returns the indexes of the patterns that have a path in common with `pattern`, in their order.
   */
  meeting(pattern: PathPattern, effort: Effort): readonly number[] {
    if (!this.#hasAnyCase && !hasAnyCase(pattern))
      return collect(this.#root, pattern, effort).sort((a, b) => a - b);
    this.#inLowerCase ??= nodeOf(this.#patterns.map(inLowerCase));
    return collect(this.#inLowerCase, inLowerCase(pattern), effort)
      .filter((index) => overlap(this.#patterns[index]!, pattern, effort))
      .sort((a, b) => a - b);
  }
}

function nodeOf(patterns: readonly PathPattern[]): Node {
  const root = emptyNode();
  patterns.forEach((pattern, index) => add(root, pattern, index));
  return root;
}

function emptyNode(): Node {
  return { closed: new ByText(), open: new ByText(), ends: [], prefixes: new ByText() };
}

function add(root: Node, { segments, isPrefix }: PathPattern, index: number): void {
  let node = root;
  segments.forEach(({ text, open }, at) => {
    if (isPrefix && at === segments.length - 1) {
      const same = node.prefixes.get(text);
      if (same) same.push(index);
      else node.prefixes.set(text, [index]);
      return;
    }
    const children = open ? node.open : node.closed;
    let child = children.get(text);
    if (!child) {
      child = emptyNode();
      children.set(text, child);
    }
    node = child;
  });
  if (!isPrefix) node.ends.push(index);
}

/** Collects without recursion: a path may have more segments than the stack has room for. */
function collect(root: Node, pattern: PathPattern, effort: Effort): number[] {
  const found: number[] = [];
  const left: [node: Node, depth: number][] = [[root, 0]];
  for (let next = left.pop(); next; next = left.pop()) {
    const [node, depth] = next;
    effort.spend(1);
    const segment = pattern.segments[depth];
    if (!segment) {
      if (pattern.isPrefix) collectAll(node, found, effort);
      else push(found, node.ends, effort);
      continue;
    }
    const { text, open } = segment;
    for (const indexes of node.prefixes.meeting(text, open, effort)) push(found, indexes, effort);
    for (const child of node.open.meeting(text, open, effort)) left.push([child, depth + 1]);
    if (open) {
      for (const child of node.closed.startingWith(text, effort)) left.push([child, depth + 1]);
      continue;
    }
    const child = node.closed.get(text);
    if (child) left.push([child, depth + 1]);
  }
  return found;
}

function collectAll(root: Node, found: number[], effort: Effort): void {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    effort.spend(1 + node.prefixes.size);
    push(found, node.ends, effort);
    for (const indexes of node.prefixes.values()) push(found, indexes, effort);
    for (const children of [node.open, node.closed]) for (const child of children.values()) left.push(child);
  }
}

/** Appends one by one: passed as arguments, too many would overflow the stack. */
function push(found: number[], indexes: readonly number[], effort: Effort): void {
  effort.spend(indexes.length);
  for (const index of indexes) found.push(index);
}
