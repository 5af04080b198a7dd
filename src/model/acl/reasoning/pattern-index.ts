import type { Effort } from './effort';
import type { PathPattern } from './pattern';

interface Node {
  /** What follows a segment with a certain text. */
  readonly closed: Map<string, Node>;
  /** What follows an open segment, by the text that it begins with. */
  readonly open: Map<string, Node>;
  /** Patterns that end here. */
  readonly ends: number[];
  /** Patterns whose last segment is the next one, with everything below it, by the text that it begins with. */
  readonly prefixes: Map<string, number[]>;
}

/** Finds the patterns that have paths in common with another one. Nearly all patterns of a set differ in a segment. */
export class PatternIndex {
  readonly #root = emptyNode();

  constructor(patterns: readonly PathPattern[]) {
    patterns.forEach((pattern, index) => add(this.#root, pattern, index));
  }

  /** The indexes of the patterns that have a path in common with `pattern`, in their order. */
  meeting(pattern: PathPattern, effort: Effort): readonly number[] {
    const found: number[] = [];
    collect(this.#root, pattern, 0, found, effort);
    effort.spend(found.length);
    return found.sort((a, b) => a - b);
  }
}

function emptyNode(): Node {
  return { closed: new Map(), open: new Map(), ends: [], prefixes: new Map() };
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
    const child = children.get(text) ?? emptyNode();
    children.set(text, child);
    node = child;
  });
  if (!isPrefix) node.ends.push(index);
}

function collect(node: Node, pattern: PathPattern, depth: number, found: number[], effort: Effort): void {
  const segment = pattern.segments[depth];
  if (!segment) {
    if (pattern.isPrefix) collectAll(node, found);
    else found.push(...node.ends);
    return;
  }
  const { text, open } = segment;
  effort.spend(1 + node.prefixes.size + node.open.size + (open ? node.closed.size : 0));
  for (const [prefix, indexes] of node.prefixes) if (meets(text, open, prefix)) found.push(...indexes);
  for (const [prefix, child] of node.open) {
    if (meets(text, open, prefix)) collect(child, pattern, depth + 1, found, effort);
  }
  if (!open) {
    const child = node.closed.get(text);
    if (child) collect(child, pattern, depth + 1, found, effort);
    return;
  }
  for (const [name, child] of node.closed) {
    if (name.startsWith(text)) collect(child, pattern, depth + 1, found, effort);
  }
}

function collectAll(node: Node, found: number[]): void {
  found.push(...node.ends);
  for (const indexes of node.prefixes.values()) found.push(...indexes);
  for (const child of node.open.values()) collectAll(child, found);
  for (const child of node.closed.values()) collectAll(child, found);
}

/** Whether any segment that begins with `prefix` is one that a segment of a pattern stands for. */
function meets(text: string, open: boolean, prefix: string): boolean {
  return text.startsWith(prefix) || (open && prefix.startsWith(text));
}
