import { existsSync, statSync } from 'node:fs';
import { basename, extname } from 'node:path';
import { Construct, type IConstruct } from 'constructs';
import { declaredPolicies, type DeclaredPolicy } from '../../constructs/policies/private/declared-policies';
import {
  aclParseOptionsFor,
  AclPolicyError,
  parseAclPolicy,
  policyText,
  type NamedAclPolicy,
} from '../model';
import { ASSUMED_SERVER_VERSION } from '../model/versions';
import { aclFilesIn } from './acl-files';
import { PolicySourceError } from './errors';
import { doesNotParse, holdsNoPolicy, notFound, onlyTerraformKnows } from './messages';
import { knownText, type ExpressionValues } from './known-text';
import { serverVersionOf } from './sentinel-sources';
import { readTextFile } from './text-file';
import { trimmed } from '../text';

/**
 * The source of ACL policies:
 *
 * - an app, a stack or another construct: every ACL policy in it, of this package's constructs or
 *   of any bindings;
 * - a text: the path of a file or a folder, or the text of a policy itself;
 * - an object: texts of policies by their names.
 */
export type AclPolicySource = IConstruct | string | Readonly<Record<string, string>>;

/** A policy with its source. */
export interface SourcedPolicy extends NamedAclPolicy {
  /** The source for messages: a file, or the path of a construct. */
  readonly place: string;
  readonly text: string;
  /** The cluster that an app writes it to. */
  readonly cluster: string | undefined;
  /** The version of that cluster's server, if the app specifies it. */
  readonly serverVersion?: string | undefined;
}

/**
 * Reads the policies of sources.
 *
 * @throws PolicySourceError for a source that does not exist or is known only when Terraform
 *   runs, and for all policies that do not parse.
 */
export function readSources(
  sources: readonly AclPolicySource[],
  values: ExpressionValues,
  serverVersion: string = ASSUMED_SERVER_VERSION,
): readonly SourcedPolicy[] {
  const faults: string[] = [];
  const policies = sources
    .flatMap((source) => textsOf(source, values))
    .flatMap((unparsed) => {
      try {
        return [parsed(unparsed, serverVersion)];
      } catch (error) {
        if (!(error instanceof AclPolicyError)) throw error;
        faults.push(doesNotParse(unparsed.place, error));
        return [];
      }
    });
  if (faults.length > 0) throw new PolicySourceError(faults.join('\n'));
  return policies;
}

function textsOf(source: AclPolicySource, values: ExpressionValues): readonly UnparsedPolicy[] {
  if (typeof source === 'string') return source.includes('{') ? [ofText('policy', source)] : ofPath(source);
  if (Construct.isConstruct(source)) return ofConstruct(source, values);
  return Object.entries(source).map(([name, text]) => ofText(name, text));
}

function ofText(name: string, text: string): UnparsedPolicy {
  return { name, place: `policy ${JSON.stringify(name)}`, text, namespace: '', cluster: undefined };
}

function ofPath(path: string): readonly UnparsedPolicy[] {
  if (!existsSync(path)) throw notFound(path);
  const files = statSync(path).isDirectory() ? aclFilesIn(path) : [path];
  if (files.length === 0) throw holdsNoPolicy(path);
  return files.map((file) => {
    const name = basename(file, extname(file)).toLowerCase();
    const text = readTextFile(file);
    return { name, place: file, text, namespace: '', cluster: undefined };
  });
}

function ofConstruct(construct: IConstruct, values: ExpressionValues): readonly UnparsedPolicy[] {
  const declared = declaredPolicies(construct).filter(({ kind }) => kind === 'acl');
  if (declared.length === 0) throw holdsNoPolicy(construct.node.path || 'the app');
  return declared.map((policy) => ofDeclared(policy, values));
}

function ofDeclared(
  { resource, cluster, arguments: given }: DeclaredPolicy,
  values: ExpressionValues,
): UnparsedPolicy {
  const place = resource.node.path;
  const textOf = (argument: string): string => {
    const { text, unknown } = knownText(given[argument], values);
    if (unknown.length > 0) throw onlyTerraformKnows(place, argument, unknown);
    return text;
  };
  const namespace = trimmed(textOf('namespace'), '/');
  return {
    name: textOf('name').toLowerCase(),
    place,
    text: textOf('policy'),
    namespace: namespace === '' ? '' : `${namespace}/`,
    cluster,
    serverVersion: serverVersionOf(resource),
  };
}

interface UnparsedPolicy extends Omit<SourcedPolicy, 'policy'> {
  /** The namespace: empty for root, else `ns1/`. */
  readonly namespace: string;
}

/** @throws AclPolicyError */
function parsed({ namespace, ...source }: UnparsedPolicy, version: string): SourcedPolicy {
  const text = policyText(source.text);
  return { ...source, text, policy: parseAclPolicy(text, { namespace, ...aclParseOptionsFor(version) }) };
}
