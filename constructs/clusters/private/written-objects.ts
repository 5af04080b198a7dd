import { nameField, normalizeNamespace, type ObjectDefinition } from '../../../src/model';
import type { IVaultCluster } from '../cluster';
import { checkAddresses } from './logical-ids';
import { serverOf } from './server-of';
import { isUnknown } from '../../private/known';
import { code, literal, phrase, property, propName } from '../../../src/model/messages';
import { checkAtSynthesis, isIncomplete } from '../../private/report';
import type { Construct } from 'constructs';

/** The location of an object. */
export interface ObjectLocation {
  readonly cluster: IVaultCluster;
  readonly name: string;
  readonly namespace?: string;
}

/** For each server, the constructs of all stacks that write objects on it, by the objects. */
const WRITERS = new WeakMap<object, Map<string, Construct>>();

/**
 * Records the construct that writes an object. If two constructs write the same object, each apply
 * would undo the changes of the other, so the app is refused at synthesis.
 *
 * @param reference the method for an object that is managed elsewhere: `fromPolicyName`.
 */
export function recordWriter(
  construct: Construct,
  definition: Pick<ObjectDefinition, 'name' | 'title' | 'fields'>,
  { cluster, name, namespace: given }: ObjectLocation,
  reference: string,
): void {
  checkAddresses(construct);
  const namespace = normalizeNamespace(given);
  if (isIncomplete(construct) || isUnknown(name) || isUnknown(namespace)) return;
  const server = serverOf(cluster);
  const writersOfCluster = WRITERS.get(server) ?? new Map<string, Construct>();
  WRITERS.set(server, writersOfCluster);

  const object = `${definition.name}:${namespace}//${name}`;
  const first = writersOfCluster.get(object);
  if (!first) {
    writersOfCluster.set(object, construct);
    return;
  }
  const where = namespace === '' ? '' : ` in namespace ${JSON.stringify(namespace)}`;
  const prop = property(propName(nameField(definition), definition.name));
  const problem = phrase`${definition.title} ${literal(name)} on cluster ${literal(cluster.name)}${where} is written
    by [${first.node.path}] already; give one of the two another ${prop}, or refer to the other one with
    ${code(reference)}`;
  checkAtSynthesis(construct, () => [problem]);
}

/**
 * Returns the default name of an object: the path of its construct within the stack, with only
 * characters that names may have.
 */
export function defaultName(construct: Construct): string {
  return construct.node.path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
