/**
 * Paths of a search as files, which `npm run explore -- --replay FILE` takes with the real
 * terraform.
 */
import { EFFECTS, type RequestKind } from '../../../src/provider/replication/set/decide';
import { BOUNDS } from '../apply/bounds';
import { plantOf } from '../apply/plants';
import type { PathFile } from '../apply/main';
import type { Start } from '../apply/search';

/** One transition of a path. */
export type Move =
  | {
      readonly kind: 'request';
      readonly request: RequestKind;
      readonly cluster: string;
      /** The fault of the request; empty without one. */
      readonly fault: '' | 'lost before' | 'lost after' | 'refused' | 'slow';
    }
  | { readonly kind: 'late' }
  | { readonly kind: 'killed' }
  | { readonly kind: 'end'; readonly how: 'applied' | 'failed' | 'refused' | 'clean' }
  | { readonly kind: 'by hand'; readonly request: string; readonly cluster: string }
  | { readonly kind: 'events'; readonly events: readonly string[] };

const END = /^\d+: (applied|refused|clean|failed(?= \(|$))/;
const REQUEST = /^\d+: (\w+) (\w+) ?(lost before|lost after|refused|slow|arrives late)?/;
const HAND = /^by hand: ([\w-]+) (\w+)$/;
const EVENT = /^(seal|crash|silence|speak|cut|initialize|restore) \w+( and \w+)?$/;

/**
 * Reads the label of a transition.
 *
 * @throws Error for a text that is not a label
 */
export function moveOf(label: string): Move {
  const end = END.exec(label);
  if (end) return { kind: 'end', how: end[1] as 'applied' };
  if (/^\d+: killed$/.test(label)) return { kind: 'killed' };
  const hand = HAND.exec(label);
  if (hand) return { kind: 'by hand', request: hand[1]!, cluster: hand[2]! };
  const request = REQUEST.exec(label);
  if (request && request[1]! in EFFECTS) {
    const [, kind, cluster, fault = ''] = request;
    if (fault === 'arrives late') return { kind: 'late' };
    return { kind: 'request', request: kind as RequestKind, cluster: cluster!, fault: fault as '' };
  }
  const events = label.split(', ');
  if (events.every((event) => EVENT.test(event))) return { kind: 'events', events };
  throw new Error(`no transition of a search: ${label}`);
}

/**
 * Reads a file of a path.
 *
 * @throws Error that names the fault of the text
 */
export function parsePath(text: string): PathFile {
  let file: Partial<PathFile>;
  try {
    file = JSON.parse(text) as Partial<PathFile>;
  } catch (error) {
    throw new Error(`not JSON: ${(error as Error).message}`, { cause: error });
  }
  const { bound, start, path } = file;
  if (typeof bound !== 'string' || typeof start !== 'string' || !Array.isArray(path))
    throw new Error('no path of a search: it needs the members bound, start and path');
  if (!path.every((label) => typeof label === 'string')) throw new Error('path must be a list of texts');
  path.forEach(moveOf);
  startOf(file as PathFile);
  return file as PathFile;
}

/**
 * Returns the start of a path.
 *
 * @throws Error for an unknown bound, start or planted fault, and for a start with two applies
 */
export function startOf({ bound, start, row, plant }: PathFile): Start {
  const found = BOUNDS.find(({ name }) => name === bound);
  if (!found) throw new Error(`no bound ${bound}; there are ${BOUNDS.map(({ name }) => name).join(', ')}`);
  const starts = found.starts();
  const chosen = starts.find((each) => each.name === start && each.row === row);
  if (!chosen)
    throw new Error(`bound ${bound} has no start ${start}${row === undefined ? '' : ` of ${row}`}`);
  if (chosen.before === undefined || chosen.state.lates !== undefined)
    throw new Error(`a path of bound ${bound} has two applies`);
  return plant === undefined ? chosen : { ...chosen, plant: plantOf(plant) };
}
