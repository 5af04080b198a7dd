import { renderText, type Message } from '../../model/messages';
import { randomBytes } from 'node:crypto';
import { unable, type Unseen } from './unseen';
import { NoAnswer, type UnchangedAnswer, type Wire } from './wire';

const PREFIX = 'vault-admin-verify-';
/** The names of scratch namespaces, and of nothing else. */
const SCRATCH = new RegExp(`^${PREFIX}[0-9a-f]{8}/?$`);

/** The time limit in milliseconds for the deletion of a namespace with its content. */
const PATIENCE = 120_000;
const PAUSE = 250;

/** The tools for making and removing namespaces, besides the server. */
export interface ScratchOptions {
  /** Waits, also if the walk was interrupted. */
  readonly pause: (milliseconds: number) => Promise<void>;
  /** Told what was found of an earlier walk. */
  readonly note: (text: string) => void;
}

/** A namespace could not be removed. */
export class NotRemoved extends Error {
  override readonly name = 'NotRemoved';

  constructor(message: Message) {
    super(renderText(message));
  }
}

/**
 * Makes a namespace, has it used, and removes it with all that is in it, however the use ends.
 * Namespaces that an earlier run left are removed first.
 *
 * @param use gets why there is no namespace, if the server or the token does not permit one.
 * @throws NotRemoved if the namespace stays.
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
      // After an error of the server it may have been made.
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
  // A list that is empty is not found either.
  const isEmpty = answer.status === 404 && answer.errors.length === 0 && (await hasNamespaces(server));
  if (!isEmpty && answer.status >= 300) {
    return unable(answer)?.unseen === 'the server does not offer this call'
      ? { unseen: 'the server has no namespaces' }
      : { unseen: `namespaces cannot be listed: ${unable(answer)?.unseen ?? String(answer.status)}` };
  }
  for (const key of keysOf(answer).filter((each) => SCRATCH.test(each))) {
    const name = key.replace('/', '');
    await remove(server, name, pause);
    note(`removed the namespace "${name}" of an earlier walk`);
  }
  return undefined;
}

/** Whether the namespace of the wire can have others below: what is looked up does not exist. */
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
      summary: `cannot remove the namespace "${name}", which this walk made: ${reason}`,
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
