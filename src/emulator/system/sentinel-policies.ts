import { type ObjectDefinition, EGP_POLICY, fromProduct, RGP_POLICY, toProduct } from '../../model';
import {
  type LogicalRequest,
  type LogicalResponse,
  type Namespace,
  type ResponseData,
  type Route,
  route,
} from '../core/backend';
import type { FieldSchemas } from '../core/request/fields';
import { refuseFindings } from '../core/request/findings';
import type { ClusterParts } from '../core/parts';
import { type StoredPolicy, policyName } from '../core/stores/policies';
import { foldingWarning, policyDocument, refuseImmutable } from './policy-input';

const RGP_FIELDS = {
  name: { type: 'string', path: true, description: 'The name of the policy.' },
  policy: {
    type: 'string',
    default: '',
    description: 'The rules of the policy, which may be base64-encoded.',
  },
  enforcement_level: { type: 'string', description: 'advisory, soft-mandatory or hard-mandatory.' },
} as const satisfies FieldSchemas;

const EGP_FIELDS = {
  ...RGP_FIELDS,
  paths: { type: 'comma_string_list', description: 'The paths that the policy applies to.' },
} as const satisfies FieldSchemas;

type WriteRequest = LogicalRequest<typeof EGP_FIELDS>;

/** Policies in the Sentinel language: of roles and of endpoints. */
export function sentinelPolicyRoutes(cluster: ClusterParts): readonly Route[] {
  return [
    ...routesOf(cluster, 'rgp', RGP_POLICY, RGP_FIELDS),
    ...routesOf(cluster, 'egp', EGP_POLICY, EGP_FIELDS),
  ];
}

function routesOf(
  { policies, server }: ClusterParts,
  kind: 'rgp' | 'egp',
  definition: ObjectDefinition,
  fields: typeof RGP_FIELDS | typeof EGP_FIELDS,
): readonly Route[] {
  const fromClient = toProduct(server.dialect, definition.name);
  const toClient = fromProduct(server.dialect, definition.name);

  const list = (namespace: Namespace): ResponseData => {
    const keys = policies.list(namespace, kind);
    if (kind === 'rgp') return { keys };
    const paths = (name: string) => (policies.get(namespace, kind, name)?.paths ?? []).map(pathInfo);
    const info = Object.fromEntries(keys.map((name) => [name, paths(name)]));
    // The documentation and the server's code name the second member differently.
    return { keys, key_info: info, name_path_map: info };
  };
  const read = ({
    data,
    namespace,
  }: Pick<WriteRequest, 'data' | 'namespace'>): LogicalResponse | undefined => {
    const stored = policies.get(namespace, kind, policyName(data.name));
    return stored && { data: toClient.fields({ ...stored }) as ResponseData };
  };
  const write = ({ data, namespace }: WriteRequest): LogicalResponse | undefined => {
    const { name: written, policy, ...others } = data;
    const name = policyName(written);
    const sent = fromClient.fields({
      name,
      policy: policyDocument(policy),
      ...others,
    }) as unknown as StoredPolicy;
    refuseImmutable(name);
    refuseFindings(definition, name, { ...sent });
    policies.put(namespace, kind, sent);
    return foldingWarning(written);
  };

  return [
    route({
      pattern: `policies/${kind}`,
      operations: { list: ({ namespace }) => ({ data: list(namespace) }) },
      help: { synopsis: `Lists the ${kind.toUpperCase()}s.` },
    }),
    route({
      pattern: `policies/${kind}/*name`,
      fields,
      operations: {
        read: (request) => read(request as WriteRequest),
        update: (request) => write(request as WriteRequest),
        delete: ({ data, namespace }) => {
          policies.delete(namespace, kind, policyName(data.name));
          return undefined;
        },
      },
      help: { synopsis: `Reads, writes and deletes an ${kind.toUpperCase()}.` },
    }),
  ];
}

/** A path as the list of EGPs tells it: without its final `*`. */
function pathInfo(path: string) {
  return path.endsWith('*') ? { path: path.slice(0, -1), glob: true } : { path, glob: false };
}
