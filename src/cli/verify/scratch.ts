import { renderText, type Message } from '../../model/messages';
import { randomBytes } from 'node:crypto';
import { unable, type Unseen } from './unseen';
import { NoAnswer, type UnchangedAnswer, type Wire } from './wire';

const PREFIX = 'vault-admin-verify-';
/** Matches the names of scratch namespaces, and no other names. */
const SCRATCH = new RegExp(`^${PREFIX}[0-9a-f]{8}/?$`);

/** The time limit in milliseconds for the deletion of a namespace with its content. */
const PATIENCE = 120_000;
const PAUSE = 250;

/** The options for creating and removing namespaces. */
export interface ScratchOptions {
  /** Waits, even if the run was interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Called with a text about each namespace of an earlier run. */
  readonly note: (text: string) => void;
}

/** The error for a namespace that could not be removed. */
export class NotRemoved extends Error {
  override readonly name = 'NotRemoved';

  constructor(message: Message) {
    super(renderText(message));
  }
}

/**
 * Creates a namespace for a function, and removes it with all of its content, even if the function
 * fails. Namespaces that an earlier run left are removed first.
 *
 * @param use receives the reason if the server or the token does not permit a namespace.
 * @throws NotRemoved if the namespace could not be removed.
 */
export async function withScratch<T>(
  server: Wire,
  { pause, note }: ScratchOptions,
  use: (scratch: Wire | Unseen) => Promise<T>,
): Promise<T> {
  const steady = server.withoutSignal();
  const name = `${PREFIX}${randomBytes(4).toString('hex')}`;
  const obstacle = await removeLeftOvers(server, pause, note);
  if (obstacle) return use(obstacle);
  let isMade = true;
  try {
    const made = await server.post(`sys/namespaces/${name}`);
    if (made.status >= 300) {
      // If the server failed, it may have created the namespace nevertheless.
      isMade = made.status >= 500;
      const reason = unable(made)?.unseen ?? `the server answered ${made.status}`;
      return await use({ unseen: `namespaces cannot be created: ${reason}` });
    }
    return await use(server.below(name));
  } finally {
    if (isMade) await remove(steady, name, pause);
  }
}

async function removeLeftOvers(
  server: Wire,
  pause: ScratchOptions['pause'],
  note: ScratchOptions['note'],
): Promise<Unseen | undefined> {
  const answer = await server.list('sys/namespaces');
  // For an empty list, the server answers 404 as well.
  const isEmpty = answer.status === 404 && answer.errors.length === 0 && (await hasNamespaces(server));
  if (!isEmpty && answer.status >= 300) {
    return unable(answer)?.unseen === 'the server does not offer this call'
      ? { unseen: 'the server has no namespaces' }
      : { unseen: `namespaces cannot be listed: ${unable(answer)?.unseen ?? String(answer.status)}` };
  }
  for (const key of keysOf(answer).filter((each) => SCRATCH.test(each))) {
    const name = key.replace('/', '');
    await remove(server, name, pause);
    note(`removed the namespace "${name}" of an earlier run`);
  }
  return undefined;
}

/** Whether the server has namespaces at all: without them, it also answers 404. */
async function hasNamespaces(server: Wire): Promise<boolean> {
  const answer = await server.root().get('sys/health');
  const { enterprise, version } = answer.body;
  return enterprise === true || String(version).includes('+ent');
}

async function remove(parent: Wire, name: string, pause: ScratchOptions['pause']): Promise<void> {
  try {
    await removeWithChildren(parent, name, pause);
  } catch (error) {
    const reason = error instanceof NoAnswer ? error.message : String((error as Error).message);
    throw new NotRemoved({
      summary: `cannot remove the namespace "${name}", which this run made: ${reason}`,
      cures: 'run the command again, which removes it first, or delete the namespace',
    });
  }
}

async function removeWithChildren(parent: Wire, name: string, pause: ScratchOptions['pause']): Promise<void> {
  const namespace = parent.below(name);
  if (await isGone(parent, name)) return;
  for (const child of keysOf(await namespace.list('sys/namespaces'))) {
    await removeWithChildren(namespace, child.replace('/', ''), pause);
  }
  const answer = await parent.delete(`sys/namespaces/${name}`);
  for (let waited = 0; !(await isGone(parent, name)); waited += PAUSE) {
    if (waited >= PATIENCE || answer.status >= 400) {
      throw new Error(`the server answered ${answer.status} ${answer.errors.join(' ')}`.trim());
    }
    await pause(PAUSE);
  }
}

async function isGone(parent: Wire, name: string): Promise<boolean> {
  return (await parent.get(`sys/namespaces/${name}`)).status === 404;
}

function keysOf({ data }: UnchangedAnswer): readonly string[] {
  return Array.isArray(data['keys']) ? (data['keys'] as readonly unknown[]).map(String) : [];
}
