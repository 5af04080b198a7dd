import { readFileSync } from 'node:fs';
import { inWords } from '../../files';
import { type Json, type JsonObject, isJsonObject } from '../core/primitives/json';

/** The initial content of new clusters. */
export interface Seed {
  /** The writes to each cluster, in order, by the name of the cluster. */
  readonly clusters: Readonly<Record<string, readonly SeedWrite[]>>;
  /** The replication sets of these clusters. Default: none. */
  readonly sets?: readonly SeedSet[];
}

/** A write with the root token of its cluster. */
export interface SeedWrite {
  /** The path below `/v1/`: `sys/policies/acl/ops`. */
  readonly path: string;
  /** The body of the request. Default: none. */
  readonly body?: JsonObject;
  /** The namespace, which is created if it does not exist. Default: the root namespace. */
  readonly namespace?: string;
  /**
   * Fields of the body that are secrets. A seed does not contain secrets: a placeholder is written.
   * Default: none.
   */
  readonly secrets?: readonly string[];
}

/** A primary and its secondaries, which receive the content of the primary. */
export interface SeedSet {
  readonly primary: string;
  readonly secondaries: readonly SeedSecondary[];
}

interface SeedSecondary {
  readonly cluster: string;
  /** The secondary id. Default: the name of the cluster. */
  readonly id?: string;
  /** The paths filter. Default: the secondary receives everything. */
  readonly paths_filter?: { readonly mode: 'allow' | 'deny'; readonly paths: readonly string[] };
}

/**
 * The error for a seed that cannot be read, or that a cluster refuses. The message says where and
 * why.
 */
export class SeedError extends Error {
  override readonly name = 'SeedError';
}

/**
 * Reads a seed from a file: `{ "clusters": …, "sets": … }`, or the output of `adopt --json`, which
 * contains it as `estate`.
 *
 * @throws SeedError
 */
export function readSeed(file: string): Seed {
  return seedFrom(parsed(file), file);
}

/**
 * Checks the structure of a seed.
 *
 * @param source the origin of the seed, for errors.
 * @throws SeedError
 */
function seedFrom(value: unknown, source: string): Seed {
  const whole = isJsonObject(value) && isJsonObject(value.estate) ? value.estate : value;
  const fail = (where: string, allowed: string): never => {
    throw new SeedError(`${source} is not a seed: ${where}; allowed: ${allowed}`);
  };
  if (!isJsonObject(whole) || !isJsonObject(whole.clusters)) {
    return fail('"clusters" is missing', 'an object of lists of writes, by the names of the clusters');
  }
  const clusters = Object.entries(whole.clusters).map(([cluster, writes]): [string, readonly SeedWrite[]] => {
    if (!Array.isArray(writes)) return fail(`"clusters.${cluster}" is not a list`, 'a list of writes');
    const at = writes.findIndex((write: unknown) => !isWrite(write));
    return at < 0
      ? [cluster, writes.filter(isWrite)]
      : fail(`"clusters.${cluster}[${at}]" is not a write`, WRITE);
  });
  const sets = whole.sets ?? [];
  if (!Array.isArray(sets) || !sets.every(isSet)) return fail('"sets" has something else', SET);
  const seed = { clusters: Object.fromEntries(clusters), sets: sets.filter(isSet) };
  for (const name of clustersOf(seed)) {
    if (!/^[A-Za-z][\w-]*$/.test(name))
      fail(`the cluster name ${JSON.stringify(name)}`, 'letters, digits, "-" and "_"');
  }
  return seed;
}

/** Returns the names of all clusters in a seed. */
export function clustersOf({ clusters, sets = [] }: Seed): readonly string[] {
  const members = sets.flatMap(({ primary, secondaries }) => [
    primary,
    ...secondaries.map(({ cluster }) => cluster),
  ]);
  return [...new Set([...Object.keys(clusters), ...members])];
}

const WRITE = '{ "path": "sys/policies/acl/ops", "body": { … }, "namespace": "team", "secrets": ["pin"] }';
const SET =
  '[{ "primary": "us", "secondaries": [{ "cluster": "eu", "id": "eu", "paths_filter": { "mode": "deny", "paths": ["x/"] } }] }]';

function parsed(file: string): Json | undefined {
  try {
    return JSON.parse(inWords(() => readFileSync(file, 'utf8'))) as Json;
  } catch (error) {
    throw new SeedError(`cannot read the seed ${file}: ${(error as Error).message}`);
  }
}

function isWrite(value: unknown): value is SeedWrite {
  return (
    isJsonObject(value) &&
    typeof value.path === 'string' &&
    value.path !== '' &&
    isAbsentOr(value.body, isJsonObject) &&
    isAbsentOr(value.namespace, isText) &&
    isAbsentOr(value.secrets, isTexts)
  );
}

function isSet(value: unknown): value is SeedSet {
  return (
    isJsonObject(value) &&
    typeof value.primary === 'string' &&
    Array.isArray(value.secondaries) &&
    value.secondaries.every(
      (secondary: unknown) =>
        isJsonObject(secondary) &&
        typeof secondary.cluster === 'string' &&
        isAbsentOr(secondary.id, isText) &&
        isAbsentOr(secondary.paths_filter, isFilter),
    )
  );
}

function isFilter(value: unknown): boolean {
  return isJsonObject(value) && (value.mode === 'allow' || value.mode === 'deny') && isTexts(value.paths);
}

function isAbsentOr(value: unknown, is: (value: unknown) => boolean): boolean {
  return value === undefined || is(value);
}

function isText(value: unknown): boolean {
  return typeof value === 'string';
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every(isText);
}
