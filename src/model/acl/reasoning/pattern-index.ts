import type { Effort } from '../effort';
import { hasAnyCase, inLowerCase, overlap, type PathPattern, type PatternSegment } from './pattern';

/**
 * Values that are found by the beginning of their texts. The methods append to a list of the
 * caller, because generators took most of the time of a decision.
 */
class ByText<Value> {
  readonly #values = new Map<string, Value>();
  #sorted: readonly string[] | undefined;
  /** The lengths that texts have. */
  readonly #lengths: number[] = [];

  get size(): number {
    return this.#values.size;
  }

  get(text: string): Value | undefined {
    return this.#values.get(text);
  }

  set(text: string, value: Value): void {
    this.#values.set(text, value);
    if (!this.#lengths.includes(text.length)) this.#lengths.push(text.length);
    this.#sorted = undefined;
  }

  values(): Iterable<Value> {
    return this.#values.values();
  }

  /** Appends the values of all texts that begin with the given one. */
  addStartingWith(text: string, found: Value[], effort: Effort): void {
    const sorted = (this.#sorted ??= [...this.#values.keys()].sort());
    for (let at = firstNotBefore(text, sorted); at < sorted.length; at++) {
      const each = sorted[at]!;
      if (!each.startsWith(text)) return;
      effort.spend(1);
      found.push(this.#values.get(each)!);
    }
  }

  /**
   * Appends the values of all open texts that have segments in common with a segment of a pattern.
   */
  addMeeting(text: string, open: boolean, found: Value[], effort: Effort): void {
    if (open) this.addStartingWith(text, found, effort);
    effort.spend(this.#lengths.length);
    for (const length of this.#lengths) {
      if (open ? length >= text.length : length > text.length) continue;
      const value = this.#values.get(text.slice(0, length));
      if (value !== undefined) found.push(value);
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

/**
 * A place in the patterns, after a number of segments. Its fields are absent if no pattern has such
 * a segment.
 */
class Node {
  /** The nodes after a segment with a certain text. */
  closed: ByText<Node> | undefined;
  /** The nodes after an open segment, by the text that it begins with. */
  open: ByText<Node> | undefined;
  /** Patterns that end here. */
  ends: number[] | undefined;
  /**
   * Patterns that end in the next segment and match everything that begins with it, by the text of
   * that segment.
   */
  prefixes: ByText<number[]> | undefined;
}

/**
 * Finds the patterns that have paths in common with a given pattern. It follows the segments,
 * because nearly all patterns of a set differ in one.
 */
export class PatternIndex {
  readonly #patterns: readonly PathPattern[];
  readonly #root: Node;
  readonly #hasAnyCase: boolean;
  /** The patterns in lower case; only needed if a pattern matches in any case. */
  #inLowerCase: Node | undefined;

  constructor(patterns: readonly PathPattern[]) {
    this.#patterns = patterns;
    this.#hasAnyCase = patterns.some(hasAnyCase);
    this.#root = this.#hasAnyCase ? new Node() : nodeOf(patterns);
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
  const root = new Node();
  patterns.forEach((pattern, index) => add(root, pattern, index));
  return root;
}

function add(root: Node, { segments, isPrefix }: PathPattern, index: number): void {
  let node = root;
  segments.forEach(({ text, open }, at) => {
    if (isPrefix && at === segments.length - 1) {
      const prefixes = (node.prefixes ??= new ByText());
      const same = prefixes.get(text);
      if (same) same.push(index);
      else prefixes.set(text, [index]);
      return;
    }
    const children = open ? (node.open ??= new ByText()) : (node.closed ??= new ByText());
    let child = children.get(text);
    if (!child) {
      child = new Node();
      children.set(text, child);
    }
    node = child;
  });
  if (!isPrefix) (node.ends ??= []).push(index);
}

/**
 * Collects the patterns without recursion, because a path may have more segments than the stack has
 * room for.
 */
function collect(root: Node, { segments, isPrefix }: PathPattern, effort: Effort): number[] {
  const found: number[] = [];
  let nodes: readonly Node[] = [root];
  for (const segment of segments) {
    const next: Node[] = [];
    for (const node of nodes) follow(node, segment, next, found, effort);
    if (next.length === 0) return found;
    nodes = next;
  }
  for (const node of nodes) {
    effort.spend(1);
    if (isPrefix) collectAll(node, found, effort);
    else if (node.ends) push(found, node.ends, effort);
  }
  return found;
}

/** Appends the nodes after a segment, and the patterns that end in it. */
function follow(
  { closed, open: opened, prefixes }: Node,
  { text, open }: PatternSegment,
  next: Node[],
  found: number[],
  effort: Effort,
): void {
  effort.spend(1);
  opened?.addMeeting(text, open, next, effort);
  if (open) closed?.addStartingWith(text, next, effort);
  else {
    const child = closed?.get(text);
    if (child) next.push(child);
  }
  if (!prefixes) return;
  const ends: number[][] = [];
  prefixes.addMeeting(text, open, ends, effort);
  for (const indexes of ends) push(found, indexes, effort);
}

function collectAll(root: Node, found: number[], effort: Effort): void {
  const left = [root];
  for (let node = left.pop(); node; node = left.pop()) {
    effort.spend(1 + (node.prefixes?.size ?? 0));
    if (node.ends) push(found, node.ends, effort);
    if (node.prefixes) for (const indexes of node.prefixes.values()) push(found, indexes, effort);
    for (const children of [node.open, node.closed])
      if (children) for (const child of children.values()) left.push(child);
  }
}

/** Appends indexes one by one: many indexes as arguments of one call would overflow the stack. */
function push(found: number[], indexes: readonly number[], effort: Effort): void {
  effort.spend(indexes.length);
  for (const index of indexes) found.push(index);
}
