import { globOf } from '../parameters';
import type { Effort } from '../effort';

/**
 * A node of the automaton, which stands for a beginning of a glob's text. Sets of lists are stored
 * as bits.
 */
interface Node {
  readonly id: number;
  readonly children: Map<string, Node>;
  /** The node of the longest proper suffix of this node's text. */
  rest: Node | undefined;
  /** The lists that match if the text ends here. */
  ends: number;
  /** The lists that match whatever follows. */
  open: number;
  /** The lists with globs that end at this node or at a longer text. */
  below: number;
}

/**
 * The state after a text was read. Two texts that lead to the same state match the same with any
 * continuation.
 */
export interface GlobState {
  readonly id: number;
  /**
   * The node among globs that begin where the text begins; `undefined` if none of them can still
   * match.
   */
  readonly anchored: Node | undefined;
  /** The node among globs that may begin anywhere. */
  readonly floating: Node;
  /** The lists that match whatever follows. */
  readonly open: number;
  readonly next: Map<string, GlobState>;
}

/**
 * Lists of globs as one automaton (Aho-Corasick). It reads a text once for all globs. The number of
 * its states grows with the length of the globs, not with their combinations.
 */
export class GlobLists {
  readonly start: GlobState;
  readonly #effort: Effort;
  readonly #anchored: Node;
  readonly #floating: Node;
  readonly #states = new Map<string, GlobState>();
  #nodes = 0;

  /**
   * Builds the automaton.
   *
   * @param lists at most 31 lists, because sets of them are stored as bits.
   */
  constructor(lists: readonly (readonly string[])[], effort: Effort) {
    this.#effort = effort;
    this.#anchored = this.#newNode();
    this.#floating = this.#newNode();
    lists.forEach((globs, list) => {
      for (const glob of globs) {
        const { text, open, openEnd } = globOf(glob);
        const node = this.#nodeOf(open ? this.#floating : this.#anchored, text, 1 << list);
        if (openEnd) node.open |= 1 << list;
        else node.ends |= 1 << list;
      }
    });
    this.#findRests();
    this.start = this.#stateOf(this.#anchored, this.#floating, 0);
  }

  after(state: GlobState, letter: string): GlobState {
    const known = state.next.get(letter);
    if (known) return known;
    this.#effort.spend(1);
    const anchored = state.anchored?.children.get(letter);
    const next = this.#stateOf(anchored, this.#floatingAfter(state.floating, letter), state.open);
    state.next.set(letter, next);
    return next;
  }

  /** Returns the lists that match the text that was read. */
  matching({ anchored, floating, open }: GlobState): number {
    return open | (anchored?.ends ?? 0) | floating.ends;
  }

  /** Returns the lists that match the text that was read, or may match a longer one. */
  mayMatch({ anchored, open }: GlobState): number {
    return open | (anchored?.below ?? 0) | this.#floating.below;
  }

  /**
   * Returns the characters with which globs continue here. All other characters lead to the same
   * state.
   */
  letters({ anchored, floating }: GlobState): ReadonlySet<string> {
    const letters = new Set(anchored?.children.keys());
    for (let node: Node | undefined = floating; node; node = node.rest) {
      for (const letter of node.children.keys()) letters.add(letter);
    }
    this.#effort.spend(letters.size);
    return letters;
  }

  /** Returns the state after a text. */
  read(text: string): GlobState {
    let state = this.start;
    for (const letter of text) state = this.after(state, letter);
    return state;
  }

  #newNode(): Node {
    return { id: this.#nodes++, children: new Map(), rest: undefined, ends: 0, open: 0, below: 0 };
  }

  #nodeOf(root: Node, text: string, list: number): Node {
    this.#effort.spend(1 + text.length);
    let node = root;
    node.below |= list;
    for (const letter of text) {
      let child = node.children.get(letter);
      if (!child) {
        child = this.#newNode();
        node.children.set(letter, child);
      }
      node = child;
      node.below |= list;
    }
    return node;
  }

  /**
   * Sets the suffix nodes, shorter texts first, because each is found from the suffix node of its
   * parent.
   */
  #findRests(): void {
    const queue = [this.#floating];
    for (let at = 0; at < queue.length; at++) {
      const node = queue[at]!;
      for (const [letter, child] of node.children) {
        child.rest = node.rest ? this.#floatingAfter(node.rest, letter) : this.#floating;
        child.ends |= child.rest.ends;
        child.open |= child.rest.open;
        queue.push(child);
      }
    }
  }

  #floatingAfter(node: Node, letter: string): Node {
    for (let at: Node | undefined = node; at; at = at.rest) {
      this.#effort.spend(1);
      const child = at.children.get(letter);
      if (child) return child;
    }
    return this.#floating;
  }

  #stateOf(anchored: Node | undefined, floating: Node, before: number): GlobState {
    const open = before | (anchored?.open ?? 0) | floating.open;
    const key = `${anchored?.id} ${floating.id} ${open}`;
    const known = this.#states.get(key);
    if (known) return known;
    const state = { id: this.#states.size, anchored, floating, open, next: new Map<string, GlobState>() };
    this.#states.set(key, state);
    return state;
  }
}
