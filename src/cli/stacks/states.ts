import { readPlainFile } from '../../files';
import { isRecord, parseForeignJson, visible } from '../../text';
import { UserError } from '../errors';
import { objectNameOf, type Arguments } from './blocks';

/** The maximum size in bytes. A state of 10,000 policies has 60 MiB. */
const LONGEST_STATE = 256 * 1024 * 1024;

/** An object in a state of Terraform, with its attributes. */
export interface StateObject {
  /** The type of its resource, such as `vault_policy`. */
  readonly type: string;
  /**
   * The alias of the provider, which is the name of the cluster for objects of `hashicorp/vault`.
   * `undefined` for the provider without an alias.
   */
  readonly alias: string | undefined;
  readonly attributes: Arguments;
}

/**
 * Reads the objects of clusters in a state: a state file, as `terraform state pull` prints it, or
 * the output of `terraform show -json`. Other resources are left out.
 *
 * @throws UserError if the file is neither.
 */
export function objectsInState(file: string): readonly StateObject[] {
  const state = contentOf(file);
  if (isRecord(state) && Array.isArray(state.resources)) return inFile(state.resources);
  if (isRecord(state) && typeof state.format_version === 'string' && !('planned_values' in state)) {
    const objects = isRecord(state.values) ? inModule(state.values.root_module) : [];
    if (!objects.some(({ type }) => type.startsWith('vault_'))) return objects;
    throw new UserError({
      summary: visible(`${file} does not contain the aliases of hashicorp/vault, which specify the cluster`),
      cures: 'write the state into a file (terraform state pull > state.json), and set --state to that file',
    });
  }
  throw new UserError({
    summary: visible(`${file} is not a state of Terraform`),
    allowed: 'the output of terraform state pull, or of terraform show -json',
    cures: 'write the state into a file (terraform state pull > state.json), and set --state to that file',
  });
}

function contentOf(file: string): unknown {
  try {
    return parseForeignJson(readPlainFile(file, LONGEST_STATE).toString());
  } catch (error) {
    // A syntax error would quote the state, which may hold secrets.
    const why = error instanceof SyntaxError ? 'it is not valid JSON' : (error as Error).message;
    throw new UserError(visible(`${file} cannot be read: ${why}`));
  }
}

function inFile(resources: readonly unknown[]): readonly StateObject[] {
  return resources.filter(isRecord).flatMap(({ mode, type, provider, instances }) => {
    if (mode !== 'managed' || !isOnCluster(type) || !Array.isArray(instances)) return [];
    const [, alias] = /\]\.([\w-]+)$/.exec(typeof provider === 'string' ? provider : '') ?? [];
    return instances
      .filter(isRecord)
      .flatMap(({ attributes }) => (isRecord(attributes) ? [{ type, alias, attributes }] : []));
  });
}

function inModule(module: unknown): readonly StateObject[] {
  if (!isRecord(module)) return [];
  const { resources = [], child_modules: children = [] } = module;
  const own = (Array.isArray(resources) ? resources : [])
    .filter(isRecord)
    .flatMap(({ mode, type, values }) =>
      mode === 'managed' && isOnCluster(type) && isRecord(values)
        ? [{ type, alias: undefined, attributes: values }]
        : [],
    );
  return [...own, ...(Array.isArray(children) ? children : []).flatMap(inModule)];
}

function isOnCluster(type: unknown): type is string {
  return typeof type === 'string' && (objectNameOf(type) !== type || type === UPSTREAM_KEYS);
}

/** The resource of `hashicorp/vault` with all managed keys of a namespace. */
export const UPSTREAM_KEYS = 'vault_managed_keys';
