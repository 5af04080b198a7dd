import {
  AclPolicyError,
  DEFAULT_POLICY,
  HIDDEN_POLICIES,
  IMMUTABLE_POLICIES,
  type ObjectDefinition,
  describeFinding,
  egpPolicy,
  rgpPolicy,
  validate,
} from '../../model';
import {
  type LogicalRequest,
  type LogicalResponse,
  type Namespace,
  type ResponseData,
  type Route,
  route,
} from '../core/backend';
import { invalidRequest } from '../core/errors';
import type { FieldSchemas } from '../core/fields';
import type { ClusterParts } from '../core/parts';
import { type PolicyKind, type PolicyStore, type StoredPolicy, policyName } from '../core/policies';

const aclFields = {
  name: { type: 'string', path: true, description: 'The name of the policy.' },
  policy: {
    type: 'string',
    default: '',
    description: 'The rules of the policy, which may be base64-encoded.',
  },
} as const satisfies FieldSchemas;

const sentinelFields = {
  ...aclFields,
  enforcement_level: { type: 'string', description: 'advisory, soft-mandatory or hard-mandatory.' },
} as const satisfies FieldSchemas;

const egpFields = {
  ...sentinelFields,
  paths: { type: 'comma_string_list', description: 'The paths that the policy applies to.' },
} as const satisfies FieldSchemas;

const sentinelKinds = { rgp: rgpPolicy, egp: egpPolicy } as const;

export function policyRoutes({ policies, server }: ClusterParts): readonly Route[] {
  const acl = [aclListRoute(policies), aclRoute(policies)];
  return server.enterprise
    ? [...acl, ...sentinelRoutes(policies, 'rgp'), ...sentinelRoutes(policies, 'egp')]
    : acl;
}

function aclListRoute(policies: PolicyStore): Route {
  return route({
    pattern: 'policies/acl',
    operations: { list: ({ namespace }) => ({ data: { keys: aclNames(policies, namespace) } }) },
    help: { synopsis: 'Lists the ACL policies.' },
  });
}

/** Stored names are sorted; `root`, which is not stored, comes last. */
export function aclNames(policies: PolicyStore, namespace: Namespace): string[] {
  const names = policies.list(namespace, 'acl');
  return namespace.path === '' ? [...names, 'root'] : names;
}

function aclRoute(policies: PolicyStore): Route {
  return route({
    pattern: 'policies/acl/*name',
    fields: aclFields,
    operations: {
      read: ({ data, namespace }) => readAcl(policies, namespace, data.name),
      update: ({ data, namespace }) => writeAcl(policies, namespace, data.name, data.policy),
      delete: ({ data, namespace }) => deleteAcl(policies, namespace, data.name),
    },
    help: { synopsis: 'Reads, writes and deletes an ACL policy.' },
  });
}

export function readAcl(
  policies: PolicyStore,
  namespace: Namespace,
  written: string,
): LogicalResponse | undefined {
  const name = policyName(written);
  if (name === 'root' && namespace.path === '') return { data: { name, policy: '' } };
  const stored = HIDDEN_POLICIES.includes(name) ? undefined : policies.get(namespace, 'acl', name);
  return stored && { data: { name, policy: stored.policy } };
}

export function writeAcl(
  policies: PolicyStore,
  namespace: Namespace,
  written: string,
  given: string,
): LogicalResponse | undefined {
  const name = policyName(written);
  const policy = requirePolicy(given);
  try {
    policies.parse(namespace, policy);
  } catch (error) {
    throw error instanceof AclPolicyError ? invalidRequest(error.message) : error;
  }
  refuseImmutable(name);
  policies.put(namespace, 'acl', name, { policy });
  return foldingWarning(written, name);
}

export function deleteAcl(policies: PolicyStore, namespace: Namespace, written: string): undefined {
  const name = policyName(written);
  if (IMMUTABLE_POLICIES.includes(name)) throw invalidRequest(`cannot delete "${name}" policy`);
  if (name === DEFAULT_POLICY) throw invalidRequest('cannot delete default policy');
  policies.delete(namespace, 'acl', name);
}

function sentinelRoutes(policies: PolicyStore, kind: 'rgp' | 'egp'): readonly Route[] {
  const title = kind.toUpperCase();
  return [
    route({
      pattern: `policies/${kind}`,
      operations: { list: ({ namespace }) => ({ data: listSentinel(policies, namespace, kind) }) },
      help: { synopsis: `Lists the ${title}s.` },
    }),
    route({
      pattern: `policies/${kind}/*name`,
      fields: kind === 'egp' ? egpFields : sentinelFields,
      operations: {
        read: ({ data, namespace }) => showSentinel(policies, namespace, kind, data.name),
        update: (request) => writeSentinel(policies, kind, request as LogicalRequest<typeof egpFields>),
        delete: ({ data, namespace }) => {
          policies.delete(namespace, kind, policyName(data.name));
          return undefined;
        },
      },
      help: { synopsis: `Reads, writes and deletes an ${title}.` },
    }),
  ];
}

function listSentinel(policies: PolicyStore, namespace: Namespace, kind: 'rgp' | 'egp'): ResponseData {
  const keys = policies.list(namespace, kind);
  if (kind === 'rgp') return { keys };
  const info = Object.fromEntries(
    keys.map((name) => [name, (policies.get(namespace, kind, name)?.paths ?? []).map(pathInfo)]),
  );
  return { keys, key_info: info, name_path_map: info };
}

/** A path as the list of EGPs tells it: without its final `*`. */
function pathInfo(path: string) {
  return path.endsWith('*') ? { path: path.slice(0, -1), glob: true } : { path, glob: false };
}

function showSentinel(
  policies: PolicyStore,
  namespace: Namespace,
  kind: PolicyKind,
  written: string,
): LogicalResponse | undefined {
  const name = policyName(written);
  const stored = policies.get(namespace, kind, name);
  return stored && { data: { name, ...stored } };
}

function writeSentinel(
  policies: PolicyStore,
  kind: 'rgp' | 'egp',
  { data, namespace }: LogicalRequest<typeof egpFields>,
): LogicalResponse | undefined {
  const name = policyName(data.name);
  const stored: StoredPolicy = {
    policy: requirePolicy(data.policy),
    ...(data.enforcement_level !== undefined && { enforcement_level: data.enforcement_level }),
    ...(kind === 'egp' && data.paths !== undefined && { paths: data.paths }),
  };
  refuseImmutable(name);
  refuseFindings(sentinelKinds[kind], name, stored);
  policies.put(namespace, kind, name, stored);
  return foldingWarning(data.name, name);
}

function refuseFindings(definition: ObjectDefinition, name: string, stored: StoredPolicy): void {
  const finding = validate(definition, { name, ...stored }).find(({ severity }) => severity === 'error');
  if (finding !== undefined) throw invalidRequest(describeFinding(definition, name, finding).line);
}

/** The document itself: whatever happens to be valid base64 is taken for encoded, as the server does. */
export function requirePolicy(given: string): string {
  if (given === '') throw invalidRequest("'policy' parameter not supplied or empty");
  const joined = given.replace(/[\r\n]/g, '');
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(joined);
  return isBase64 ? Buffer.from(joined, 'base64').toString() : given;
}

function refuseImmutable(name: string): void {
  if (IMMUTABLE_POLICIES.includes(name)) throw invalidRequest(`cannot update "${name}" policy`);
}

export function foldingWarning(written: string, name: string): LogicalResponse | undefined {
  return written === name ? undefined : { warnings: [`policy name was converted to ${name}`] };
}
