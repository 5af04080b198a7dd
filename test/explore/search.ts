/** An exhaustive search, breadth first, of every state that a process and its clusters reach within a budget of faults. */
import {
  step,
  happened,
  normalized,
  renamed,
  copyOf,
  type Answer,
  type Assumed,
  type Request,
  type World,
} from './model';
import type { Happening, Property } from './properties';

/** The next act of a process. */
export type Act =
  | { readonly kind: 'request'; readonly cluster: number; readonly request: Request }
  | { readonly kind: 'done' | 'refusal' };

/** The process under test. Its memory is plain JSON. */
export interface Process {
  readonly start: unknown;
  decide(memory: never): Act;
  /** @param answer the answer; null if the connection broke. */
  remember(memory: never, act: Act, answer: Answer | null): unknown;
}

export interface Bound {
  readonly start: World;
  readonly assumed: Assumed;
  readonly process: Process;
  readonly properties: readonly Property[];
  /** How many requests may be lost, or processes killed. */
  readonly faults: number;
  /** How many steps a person takes, and which. */
  readonly hands: number;
  readonly byHand: readonly { readonly cluster: number; readonly request: Request }[];
}

export interface Found {
  readonly states: number;
  readonly transitions: number;
  readonly depth: number;
  /** The first violation of each property, with the shortest path to it. */
  readonly violations: ReadonlyMap<string, readonly string[]>;
}

/** A process that was killed, or has ended. */
const ENDED = 'ended';

/** Numbers texts by their first use. */
class Interned {
  readonly #numbers = new Map<string, number>();
  readonly #values: unknown[] = [];

  number(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    this.#numbers.set(text, this.#values.length);
    this.#values.push(JSON.parse(text));
    return this.#values.length - 1;
  }

  value<T>(number: number): T {
    return this.#values[number] as T;
  }
}

/** The numbers of a state: world, memory, monitors, faults left, steps by hand left. */
const WIDTH = 5;

/** States in an open-addressed table of numbers, with the state that each was reached from. */
class Table {
  #slots = new Int32Array(1 << 12).fill(-1);
  #states = new Int32Array(WIDTH << 10);
  readonly parents: number[] = [];
  readonly labels: string[] = [];

  get size(): number {
    return this.parents.length;
  }

  at(index: number): Int32Array {
    return this.#states.subarray(index * WIDTH, (index + 1) * WIDTH);
  }

  /** @returns whether the state is new. */
  add(state: readonly number[], parent: number, label: string): boolean {
    const slot = this.#slotOf(state);
    if (this.#slots[slot] !== -1) return false;
    this.#slots[slot] = this.size;
    if ((this.size + 1) * WIDTH > this.#states.length) {
      const more = new Int32Array(this.#states.length * 2);
      more.set(this.#states);
      this.#states = more;
    }
    this.#states.set(state, this.size * WIDTH);
    this.parents.push(parent);
    this.labels.push(label);
    if (this.size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  path(index: number): string[] {
    const labels: string[] = [];
    for (let each = index; each > 0; each = this.parents[each]!) labels.unshift(this.labels[each]!);
    return labels;
  }

  #slotOf(state: ArrayLike<number>): number {
    let hash = 0;
    for (let each = 0; each < WIDTH; each += 1)
      hash = Math.imul(hash ^ state[each]!, 0x9e3779b1) ^ (hash >>> 15);
    const mask = this.#slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const index = this.#slots[slot]!;
      if (index === -1) return slot;
      const found = this.at(index);
      if (found.every((value, each) => value === state[each])) return slot;
    }
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2).fill(-1);
    for (let index = 0; index < this.size; index += 1) this.#slots[this.#slotOf(this.at(index))] = index;
  }
}

/** Searches a bound to its end. */
export function search({ start, assumed, process, properties, faults, hands, byHand }: Bound): Found {
  const worlds = new Interned();
  const memories = new Interned();
  const monitors = new Interned();
  const steps = new Map<string, ReturnType<typeof step>>();
  const returns = new Map<string, World>();
  const names = new Map<World, Map<unknown, readonly [number, number]>>();
  const table = new Table();
  const violations = new Map<string, readonly string[]>();
  let transitions = 0;

  /** Takes a step of the model, which is computed once. */
  const stepped = (number: number, sent: Parameters<typeof step>[1]) => {
    const key = `${number} ${JSON.stringify(sent)}`;
    const known = steps.get(key) ?? step(worlds.value(number), sent, assumed);
    steps.set(key, known);
    return known;
  };
  const returned = (number: number, cluster: number): World => {
    const key = `${number} return ${cluster}`;
    const known = returns.get(key) ?? happened(worlds.value(number), { kind: 'return', cluster }, assumed)!;
    returns.set(key, known);
    return known;
  };
  /** Names the atoms of a world and of a memory together. Both are looked up by their identity. */
  const named = (world: World, memory: unknown): readonly [number, number] => {
    const byMemory = names.get(world) ?? new Map<unknown, readonly [number, number]>();
    names.set(world, byMemory);
    const known = byMemory.get(memory);
    if (known !== undefined) return known;
    const text = renamed(JSON.stringify([normalized(copyOf(world)), memory]));
    const [one, other] = JSON.parse(text) as [World, unknown];
    const numbers = [worlds.number(JSON.stringify(one)), memories.number(JSON.stringify(other))] as const;
    byMemory.set(memory, numbers);
    return numbers;
  };
  const add = (
    from: number,
    label: string,
    next: {
      readonly world: World;
      readonly memory: unknown;
      readonly faults: number;
      readonly hands: number;
    },
    happening?: Happening,
  ): void => {
    transitions += 1;
    const before =
      from < 0 ? properties.map((each) => each.start) : monitors.value<unknown[]>(table.at(from)[2]!);
    const after = properties.map((property, index) => {
      if (happening === undefined) return before[index];
      const monitor = property.next(before[index] as never, happening);
      if (monitor !== undefined) return monitor;
      if (!violations.has(property.name)) violations.set(property.name, [...table.path(from), label]);
      return before[index];
    });
    const [world, memory] = named(next.world, next.memory);
    const state = [world, memory, monitors.number(JSON.stringify(after)), next.faults, next.hands];
    table.add(state, from, label);
  };

  add(-1, '', { world: start, memory: process.start, faults, hands });
  for (let from = 0; from < table.size; from += 1) {
    const [number, memoryNumber, , faultsLeft, handsLeft] = table.at(from) as ArrayLike<number> as [
      number,
      number,
      number,
      number,
      number,
    ];
    const world = worlds.value<World>(number);
    const memory = memories.value<never>(memoryNumber);
    const same = { world, memory, faults: faultsLeft, hands: handsLeft };
    world.clusters.forEach(({ busy }, cluster) => {
      if (busy) add(from, `${cluster} is available`, { ...same, world: returned(number, cluster) });
    });
    if (handsLeft > 0) {
      for (const { cluster, request } of byHand) {
        const after = stepped(number, { cluster, by: 0, request });
        if (after.answer.status >= 300) continue;
        const happening = {
          by: 'hand',
          cluster,
          request,
          before: world,
          after: after.world,
          answer: after.answer,
        } as const;
        add(
          from,
          `by hand: ${cluster} ${request.kind}`,
          { ...same, world: after.world, hands: handsLeft - 1 },
          happening,
        );
      }
    }
    if (memory === ENDED) continue;
    const act = process.decide(memory);
    if (act.kind !== 'request') {
      add(from, act.kind, { ...same, memory: ENDED });
      continue;
    }
    const { cluster, request } = act;
    const { world: after, answer } = stepped(number, { cluster, by: 1, request });
    const label = `${cluster} ${request.kind}`;
    const happening: Happening = { by: 'process', cluster, request, before: world, after, answer };
    const answered = process.remember(memory, act, answer);
    add(from, `${label}: ${answer.status}`, { ...same, world: after, memory: answered }, happening);
    if (faultsLeft === 0) continue;
    const fault = { ...same, faults: faultsLeft - 1 };
    const lost = process.remember(memory, act, null);
    add(from, `${label}: lost before`, { ...fault, memory: lost });
    add(
      from,
      `${label}: lost after`,
      { ...fault, world: after, memory: lost },
      { ...happening, answer: null },
    );
    add(from, `${label}: killed`, { ...fault, world: after, memory: ENDED }, { ...happening, answer: null });
  }
  const depth = table.path(table.size - 1).length;
  return { states: table.size, transitions, depth, violations };
}
