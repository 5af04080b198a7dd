import { EGP_POLICY, RGP_POLICY, sentinelKnownTo } from '../../model';
import { type Namespace, type ResponseData, type Route, route } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import { checkedInput, schemasOf } from '../core/input/model-input';
import { policyName } from '../core/stores/policy-store';
import { foldingWarning, policyDocument, refuseImmutable, refuseTaken } from './policy-input';

/** The routes of Sentinel policies: RGPs and EGPs. */
export function sentinelPolicyRoutes(cluster: ClusterParts): readonly Route[] {
  return [...routesOf(cluster, 'rgp', RGP_POLICY), ...routesOf(cluster, 'egp', EGP_POLICY)];
}

function routesOf(
  { policies, server }: ClusterParts,
  kind: 'rgp' | 'egp',
  definition: typeof RGP_POLICY | typeof EGP_POLICY,
): readonly Route[] {
  const knownToServer = sentinelKnownTo(server.version);
  const list = (namespace: Namespace): ResponseData => {
    const keys = policies.list(namespace, kind);
    if (kind === 'rgp') return { keys };
    const paths = (name: string) => (policies.get(namespace, kind, name)?.paths ?? []).map(pathInfo);
    const info = Object.fromEntries(keys.map((name) => [name, paths(name)]));
    return { keys, ...Object.fromEntries(server.assumed('egpList').members.map((member) => [member, info])) };
  };
  const rootNamespaceOnly = () => server.assumed('policiesInNamespaces').rootNamespaceOnly;
  return [
    route({
      pattern: `policies/${kind}`,
      rootNamespaceOnly,
      operations: { list: ({ namespace }) => ({ data: list(namespace) }) },
      help: { synopsis: `Lists the ${kind.toUpperCase()}s.` },
    }),
    route({
      pattern: `policies/${kind}/*name`,
      rootNamespaceOnly,
      fields: schemasOf(definition.fields),
      operations: {
        read: ({ data, namespace }) => {
          const stored = policies.get(namespace, kind, policyName(data.name));
          return stored && { data: stored };
        },
        update: ({ data, namespace }) => {
          const { name: written, policy, ...others } = data;
          const name = policyName(written);
          const document = policyDocument(policy ?? '');
          refuseImmutable(name);
          const rules = [...definition.rules, knownToServer];
          const sent = checkedInput({ ...definition, rules }, name, {
            name,
            policy: document,
            ...others,
            ...('paths' in others && plainPaths(others)),
          });
          if (kind === 'rgp') refuseTaken(policies, namespace, 'acl', name);
          const keepsSlash = 'paths' in others && server.assumed('egpSlashes').keepsSlash;
          policies.put(namespace, kind, keepsSlash ? { ...sent, paths: others.paths } : sent);
          return foldingWarning(written);
        },
        delete: ({ data, namespace }) => policies.delete(namespace, kind, policyName(data.name)),
      },
      help: { synopsis: `Reads, writes and deletes an ${kind.toUpperCase()}.` },
    }),
  ];
}

/** Returns the paths of an EGP without leading slashes, which have no meaning. */
function plainPaths({ paths }: { readonly paths?: readonly string[] | undefined }): object {
  return paths === undefined ? {} : { paths: paths.map((path) => path.replace(/^\/+/, '')) };
}

/** Returns a path for the list of EGPs: without its final `*`. */
function pathInfo(path: string) {
  return path.endsWith('*') ? { path: path.slice(0, -1), glob: true } : { path, glob: false };
}
