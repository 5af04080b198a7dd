import { autoSnapshotOf } from '../../model';
import type { EmulatorClock } from '../core/primitives/clock';
import type { SnapshotConfig, SnapshotStore } from './store';
import type { SnapshotTarget } from './targets/target';

/** One attempt to write a snapshot. */
export interface SnapshotAttempt {
  /** The name of the configuration. */
  readonly name: string;
  readonly config: SnapshotConfig;
  /** The start of the attempt, in milliseconds since 1970. */
  readonly start: number;
  readonly fileName: string;
  readonly content: () => Promise<Buffer>;
  readonly target: SnapshotTarget;
}

/**
 * Writes a snapshot and deletes the oldest ones beyond `retain`. Failures are shown in the status.
 *
 * @returns whether the snapshot was written.
 */
export async function attemptSnapshot(
  attempt: SnapshotAttempt,
  store: SnapshotStore,
  clock: EmulatorClock,
): Promise<boolean> {
  const { name, config, start, fileName, target } = attempt;
  if (store.config(name) === undefined) return false;
  const begun = clock.now();
  const url = target.url(fileName);
  store.note(name, { current: { start, url } });

  const { error, bytes } = await writeAndRetain(attempt).then(
    (written) => ({ error: '', bytes: written }),
    (failure: unknown) => ({ error: withoutSecrets(reasonOf(failure), config), bytes: undefined }),
  );
  const before = store.progress(name);
  // The configuration may have been deleted in the meantime.
  if (before === undefined) return false;
  store.note(name, {
    last: { start, end: start + clock.now() - begun, error },
    errors: error === '' ? 0 : before.errors + 1,
    lastUrl: error === '' ? url : before.lastUrl,
    lastBytes: bytes ?? before.lastBytes,
  });
  return error === '';
}

/** @returns the size of the snapshot in bytes. */
async function writeAndRetain({ target, fileName, content, config }: SnapshotAttempt): Promise<number> {
  const snapshot = await content();
  await target.write(fileName, snapshot);
  const stored = await target.list();
  const oldestFirst = stored.filter((each) => each !== fileName).sort(byTime);
  const surplus = Math.max(oldestFirst.length - (config.retain - 1), 0);
  for (const each of oldestFirst.slice(0, surplus)) await target.delete(each);
  return snapshot.length;
}

/**
 * Compares two names by their nanoseconds, which have the same number of digits until the year
 * 2286.
 */
function byTime(one: string, other: string): number {
  return one < other ? -1 : 1;
}

function reasonOf(failure: unknown): string {
  return failure instanceof Error ? failure.message : String(failure);
}

/** Removes secrets from an error message: services may quote the request in their messages. */
function withoutSecrets(text: string, config: SnapshotConfig): string {
  return Object.entries(autoSnapshotOf(config.storage_type).fields)
    .filter(([, { sensitive }]) => sensitive === true)
    .map(([name]) => config[name])
    .filter((secret): secret is string => typeof secret === 'string' && secret !== '')
    .reduce((shown, secret) => shown.replaceAll(secret, '[redacted]'), text);
}
