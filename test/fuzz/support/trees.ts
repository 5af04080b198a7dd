import type { Random } from '../../model/support/random';

/** A text of a grammar, as the tree of its parts. */
export type Tree = string | Node;
export interface Node {
  readonly kind: string;
  readonly parts: readonly Tree[];
}

/**
 * A kind of nodes: how a node is written, and how a new part is created. The parts of a kind
 * without `part` are not changed.
 */
interface Kind {
  readonly part?: (random: Random) => Tree;
  readonly write: (parts: readonly string[]) => string;
}

export type Grammar = Readonly<Record<string, Kind>>;

export function node(kind: string, parts: readonly Tree[]): Node {
  return { kind, parts };
}

export function written(tree: Tree, grammar: Grammar): string {
  if (typeof tree === 'string') return tree;
  return grammar[tree.kind]!.write(tree.parts.map((part) => written(part, grammar)));
}

/** Returns a tree in which one node has other parts: more, fewer, repeated or new ones. */
export function mutated(tree: Node, grammar: Grammar, random: Random): Node {
  const places = nodesOf(tree).filter(({ kind }) => grammar[kind]!.part !== undefined);
  const place = random.pick(places);
  const part = () => grammar[place.kind]!.part!(random);
  const { parts } = place;
  const at = random.below(parts.length + 1);
  const changed = random.pick([
    () => [...parts, ...parts],
    () => [...parts, ...parts, ...parts],
    () => [...parts, ...parts.map(part)],
    () => [...parts.slice(0, at), part(), ...parts.slice(at)],
    () => [...parts.slice(0, at), part(), ...parts.slice(at + 1)],
    () => [...parts.slice(0, at), ...parts.slice(at + 1)],
    () => [...parts, ...parts.slice(at)],
  ])();
  return replaced(tree, place, node(place.kind, changed));
}

function nodesOf(tree: Tree): readonly Node[] {
  return typeof tree === 'string' ? [] : [tree, ...tree.parts.flatMap(nodesOf)];
}

function replaced(tree: Node, place: Node, by: Node): Node {
  if (tree === place) return by;
  const parts = tree.parts.map((part) => (typeof part === 'string' ? part : replaced(part, place, by)));
  return node(tree.kind, parts);
}
