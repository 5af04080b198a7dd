import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type Json, isJsonEntry, parseJson } from '../core/primitives/json';
import type { StoredChange } from './journal';
import { notOurs } from './messages';
import { clusterStore, KEY_STORES } from './names';

const EXTENSION = '.json';
const KEY_STORES_FOLDER = 'key-stores';

/**
 * Reads the format of version 0.1.0: a file of all keys and values for each cluster, and one for
 * the key stores.
 *
 * @throws Error if a file has another format.
 */
export function readEarlierFormat(folder: string): readonly StoredChange[] {
  const stores = [folder, join(folder, KEY_STORES_FOLDER)];
  return stores.filter(existsSync).flatMap((each) =>
    readdirSync(each)
      .filter((name) => name.endsWith(EXTENSION))
      .flatMap((name) => {
        const file = join(each, name);
        const store = each === folder ? clusterStore(basename(name, EXTENSION)) : KEY_STORES;
        return entriesOf(file).map(([key, value]) => [store, key, value] as const);
      }),
  );
}

function entriesOf(file: string): readonly (readonly [string, Json])[] {
  const entries = parsed(readFileSync(file, 'utf8'));
  // The parser's own message would quote the file, which holds tokens.
  if (!Array.isArray(entries) || !entries.every(isJsonEntry)) throw new Error(notOurs(file));
  return entries;
}

function parsed(text: string): Json | undefined {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
