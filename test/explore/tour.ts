/**
 * A tour of the model's transitions: it computes all within a bound, and takes the emulator through
 * each of them once.
 */
import type { Assume } from '../../src/emulator';
import { Assumed } from '../../src/emulator/assume';
import { Driver, eventOf, HELD_TOKEN, heldAfter, withHeld, type Action, type Held } from './driver';
import {
  copyOf,
  happened,
  normalized,
  renamed,
  step,
  withExpiredTokens,
  type Request,
  type World,
} from './model';

export interface TourBound {
  readonly size: number;
  readonly assume: Assume;
  /** Steps from clusters without replication to the start. Default: none. */
  readonly start?: readonly Action[];
  /** The number of worlds whose transitions are taken. Worlds near the start come first. */
  readonly worlds: number;
  /** Transitions outside of the bound. */
  readonly without?: (action: Action) => boolean;
}

export interface Toured {
  readonly worlds: number;
  readonly transitions: number;
  readonly steps: number;
  readonly differences: readonly string[];
}

interface Node {
  readonly world: World;
  readonly held: Held;
  /** The world from which clusters are restored. */
  readonly copy: World;
  readonly edges: Map<string, { readonly action: Action; readonly to: string }>;
  /** The first way in which the world was reached. */
  readonly path: readonly Action[];
}

/** The steps by which the second cluster joins the first. */
export const JOIN: readonly Action[] = [
  ask(0, { kind: 'login' }),
  ask(1, { kind: 'login' }),
  ask(0, { kind: 'enable-primary', addr: '' }),
  { kind: 'return', cluster: 0 },
  ask(1, { kind: 'generate-key' }),
  ask(0, { kind: 'issue-token', id: 'x', for: '' }),
  ask(1, { kind: 'enable-secondary', token: HELD_TOKEN }),
  { kind: 'return', cluster: 1 },
];

/**
 * The steps by which the two clusters exchange their roles, before the first one follows the
 * second.
 */
export const SWITCH: readonly Action[] = [
  ask(1, { kind: 'login' }),
  ask(0, { kind: 'demote' }),
  { kind: 'return', cluster: 0 },
  ask(1, { kind: 'promote', addr: '', force: false }),
  { kind: 'return', cluster: 1 },
  ask(0, { kind: 'generate-key' }),
  ask(1, { kind: 'issue-token', id: 'x', for: '' }),
];

function ask(cluster: number, request: Request): Action {
  return { kind: 'request', cluster, request };
}

/** Returns the requests to a cluster, and the events that may occur to it. */
export function actionsOn(cluster: number, size: number): readonly Action[] {
  const id = 'x';
  const others = Array.from({ length: size }, (_, index) => index).filter((index) => index !== cluster);
  const requests: readonly Request[] = [
    { kind: 'status' },
    { kind: 'health' },
    { kind: 'leader' },
    { kind: 'login' },
    { kind: 'capabilities' },
    ...(['announcement', 'takeover', 'promotion'] as const).flatMap((of): readonly Request[] => [
      { kind: 'read-note', of },
      { kind: 'delete-note', of },
      { kind: 'write-note', of, note: 'path "a" { capabilities = ["read"] }' },
    ]),
    { kind: 'write', mark: size },
    { kind: 'read-filter', id },
    { kind: 'delete-filter', id },
    { kind: 'write-filter', id, filter: 'deny' },
    { kind: 'revoke', id },
    { kind: 'withheld-from-secondary', id },
    { kind: 'generate-key' },
    { kind: 'issue-token', id, for: '' },
    { kind: 'enable-primary', addr: '' },
    { kind: 'promote', addr: '', force: false },
    { kind: 'promote', addr: '', force: true },
    { kind: 'demote' },
    { kind: 'disable-primary' },
    { kind: 'disable-secondary' },
    { kind: 'enable-secondary', token: HELD_TOKEN },
    { kind: 'update-primary', token: HELD_TOKEN, addrs: [] },
    { kind: 'update-primary', token: null, addrs: [] },
    ...others.map((other) => ({ kind: 'update-primary', token: null, addrs: [`c${other}`] }) as const),
  ];
  const alone = ['return', 'crash', 'seal', 'unseal', 'hold', 'release', 'initialize', 'restore'] as const;
  return [
    ...requests.map((request) => ({ kind: 'request', cluster, request }) as const),
    ...alone.map((kind) => ({ kind, cluster })),
    ...others
      .filter((other) => other > cluster)
      .flatMap((other) => (['cut', 'mend'] as const).map((kind) => ({ kind, cluster, other }))),
  ];
}

/**
 * Returns the text of a world and of the world from which clusters are restored: positions in both
 * have the same ranks.
 */
function keyOf(world: World, held: Held, copy: World): string {
  const both = normalized(copyOf({ ...world, clusters: [...world.clusters, ...copy.clusters] }));
  const [present, earlier] = [
    both.clusters.slice(0, world.clusters.length),
    both.clusters.slice(world.clusters.length),
  ];
  return renamed(JSON.stringify([{ ...both, clusters: present }, held, { ...copy, clusters: earlier }]));
}

/** Computes the transitions of the model, breadth first. */
function graphOf(
  start: World,
  held: Held,
  { size, assume, worlds, without = () => false }: TourBound,
): Map<string, Node> {
  const assumed = new Assumed(assume);
  const of = assumed.of.bind(assumed);
  const actions: readonly Action[] = [
    ...Array.from({ length: size }, (_, cluster) => actionsOn(cluster, size)).flat(),
    { kind: 'expire' } as const,
  ].filter((action) => !without(action));
  const nodes = new Map<string, Node>();
  const found = (world: World, held: Held, copy: World, path: readonly Action[]): string => {
    const text = keyOf(world, held, copy);
    if (!nodes.has(text) && nodes.size < worlds) {
      const [named, holds, earlier] = JSON.parse(text) as [World, Held, World];
      nodes.set(text, { world: named, held: holds, copy: earlier, edges: new Map(), path });
    }
    return text;
  };
  found(start, held, start, []);
  for (const node of nodes.values()) {
    for (const action of actions) {
      const next = stepped(node, action, of);
      if (next === undefined) continue;
      const to = found(next.world, next.held, next.copy, [...node.path, action]);
      node.edges.set(JSON.stringify(action), { action, to });
    }
  }
  return nodes;
}

function stepped(
  { world, held, copy }: Node,
  action: Action,
  assumed: Parameters<typeof step>[2],
): Pick<Node, 'world' | 'held' | 'copy'> | undefined {
  if (action.kind !== 'request') {
    let next = happened(world, eventOf(action, copy), assumed);
    if (next !== undefined && action.kind === 'initialize')
      next = happened(next, { ...action, kind: 'return' }, assumed);
    if (next === undefined || action.kind !== 'expire') return next && { world: next, held, copy };
    return { world: next, held: { key: null, token: null }, copy: withExpiredTokens(copy) };
  }
  const request = withHeld(action.request, held);
  if (request === undefined) return undefined;
  const { world: after, answer } = step(world, { cluster: action.cluster, by: 0, request }, assumed);
  return { world: after, held: heldAfter(held, request, answer), copy };
}

/** @param model takes the steps in place of the model, in the comparison */
export async function tour(bound: TourBound, model = step): Promise<Toured> {
  const differences: string[] = [];
  const started = async (): Promise<Driver> => {
    const driver = await Driver.start(bound.size, bound.assume);
    for (const action of bound.start ?? []) {
      const difference = await driver.take(action, model);
      if (difference !== undefined)
        differences.push(`at the start: ${JSON.stringify(action)}\n${difference}`);
    }
    driver.keep();
    return driver;
  };
  let driver = await started();
  const nodes = graphOf(driver.world(), driver.held, bound);
  const open = new Map([...nodes].map(([text, { edges }]) => [text, new Map(edges)]));
  let transitions = 0;
  for (const { edges } of nodes.values()) transitions += edges.size;
  let steps = 0;
  let here = nodes.keys().next().value!;
  const first = here;
  /** Takes a step, and returns whether its result was expected. */
  const take = async (text: string, action: Action, trace: readonly Action[]): Promise<boolean> => {
    steps += 1;
    open.get(text)?.delete(JSON.stringify(action));
    const difference = await driver.take(action, model);
    if (difference === undefined) return true;
    differences.push(`${trace.map((each) => JSON.stringify(each)).join('\n')}\n${difference}`);
    return false;
  };
  let trace: Action[] = [];
  for (;;) {
    const way = wayToOpen(here, nodes, open);
    if (way === undefined) {
      const left = [...open].find(([, edges]) => edges.size > 0);
      if (left === undefined || differences.length >= 5) break;
      await driver.close();
      driver = await started();
      trace = [];
      here = first;
      for (const action of nodes.get(left[0])!.path) {
        trace.push(action);
        if (!(await take(here, action, trace))) break;
        here = nodes.get(here)!.edges.get(JSON.stringify(action))!.to;
      }
      if (here !== left[0]) open.get(left[0])!.clear();
      continue;
    }
    for (const action of way) {
      trace.push(action);
      if (trace.length > 40) trace = trace.slice(-40);
      const isAsExpected = await take(here, action, trace);
      here = isAsExpected ? nodes.get(here)!.edges.get(JSON.stringify(action))!.to : '';
      if (!isAsExpected) break;
    }
  }
  await driver.close();
  return { worlds: nodes.size, transitions, steps, differences };
}

/** Returns the shortest way to a transition that was not taken yet, and this transition. */
function wayToOpen(
  from: string,
  nodes: ReadonlyMap<string, Node>,
  open: ReadonlyMap<string, ReadonlyMap<string, { readonly action: Action }>>,
): readonly Action[] | undefined {
  const seen = new Set([from]);
  let front: (readonly [string, readonly Action[]])[] = [[from, []]];
  while (front.length > 0) {
    const next: typeof front = [];
    for (const [text, way] of front) {
      const edge = open.get(text)?.values().next().value;
      if (edge !== undefined) return [...way, edge.action];
      for (const { action, to } of nodes.get(text)?.edges.values() ?? []) {
        if (seen.has(to) || !nodes.has(to)) continue;
        seen.add(to);
        next.push([to, [...way, action]]);
      }
    }
    front = next;
  }
  return undefined;
}
