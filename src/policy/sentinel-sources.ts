import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { Construct, type IConstruct } from 'constructs';
import { declaredPolicies } from '../../constructs/policies/private/declared-policies';
import type { PolicySource } from '../enforcement';
import { ENFORCEMENT_LEVELS, policyText, type EnforcementLevel } from '../model';
import { knownText, type ExpressionValues } from './known-text';
import { notOneSentinelPolicy, notFound, onlyTerraformKnows } from './messages';
import { readTextFile } from './text-file';
import { trimmed } from '../text';

/** The enforcement level of policies that do not specify one. */
interface Enforcement {
  readonly kind?: 'rgp' | 'egp' | undefined;
  readonly level?: EnforcementLevel | undefined;
  readonly paths?: readonly string[] | undefined;
  readonly values?: ExpressionValues | undefined;
}

/** A policy to try. */
interface ReadPolicy extends PolicySource {
  /** The version of the server that the construct writes to, if the app specifies it. */
  readonly serverVersion?: string | undefined;
}

/**
 * Reads the policy of a source.
 *
 * @throws PolicySourceError if the source does not contain exactly one policy, or if the policy
 *   is only known when Terraform runs.
 */
export function readSentinelPolicy(source: IConstruct | string, options: Enforcement): ReadPolicy {
  if (typeof source !== 'string' && Construct.isConstruct(source)) return ofConstruct(source, options);
  const { kind = 'egp', level = 'hard-mandatory', paths = ['*'] } = options;
  const { name, text } = isPath(source) ? ofFile(source) : { name: 'policy', text: source };
  return { kind, level, paths, name, namespace: '', text: policyText(text) };
}

function isPath(source: string): boolean {
  return source.endsWith('.sentinel') && !source.includes('\n');
}

function ofFile(path: string): { readonly name: string; readonly text: string } {
  if (!existsSync(path)) throw notFound(path);
  return { name: basename(path, '.sentinel'), text: readTextFile(path) };
}

function ofConstruct(construct: IConstruct, { values = {} }: Enforcement): ReadPolicy {
  const declared = declaredPolicies(construct).filter(({ kind }) => kind !== 'acl');
  const [policy] = declared;
  if (declared.length !== 1 || !policy || policy.kind === 'acl') {
    throw notOneSentinelPolicy(construct.node.path || 'the app', declared.length);
  }
  const { kind, resource, arguments: given } = policy;
  const textOf = (argument: string, template: unknown = given[argument]): string => {
    const { text, unknown } = knownText(template, values);
    if (unknown.length > 0) throw onlyTerraformKnows(resource.node.path, argument, unknown);
    return text;
  };
  const level = textOf('enforcement_level');
  const namespace = trimmed(textOf('namespace'), '/');
  const paths = Array.isArray(given.paths) ? given.paths.map((path: unknown) => textOf('paths', path)) : [];
  return {
    kind,
    name: textOf('name').toLowerCase(),
    namespace: namespace === '' ? '' : `${namespace}/`,
    level: ENFORCEMENT_LEVELS.find((known) => known === level) ?? 'hard-mandatory',
    paths,
    text: policyText(textOf('policy')),
    serverVersion: serverVersionOf(resource),
  };
}

/**
 * Returns the server version of the cluster of an `RgpPolicy` or `EgpPolicy`, which bindings do not
 * have.
 */
export function serverVersionOf({ node: { scope } }: IConstruct): string | undefined {
  if (scope === undefined || !('cluster' in scope)) return undefined;
  const { cluster } = scope;
  if (typeof cluster !== 'object' || cluster === null || !('serverVersion' in cluster)) return undefined;
  return typeof cluster.serverVersion === 'string' ? cluster.serverVersion : undefined;
}
