import { type LogicalResponse, type Namespace, type Route, route } from '../core/backend';
import type { ClusterParts } from '../core/request/parts';
import { aclNames, deleteAcl, readAcl, writeAcl } from './acl-policies';

/**
 * The routes of `sys/policy`, the old paths of ACL policies, where the field of the document is
 * `rules`.
 */
export function legacyPolicyRoutes({ policies }: ClusterParts): readonly Route[] {
  const list = ({ namespace }: { namespace: Namespace }): LogicalResponse => {
    const keys = aclNames(policies, namespace);
    return { data: { keys, policies: keys } };
  };
  return [
    route({
      pattern: 'policy',
      operations: { read: list, list },
      help: { synopsis: 'Lists the ACL policies.' },
    }),
    route({
      pattern: 'policy/*name',
      fields: {
        name: { type: 'string', path: true, description: 'The name of the policy.' },
        policy: { type: 'string', default: '', description: 'The rules of the policy.' },
        rules: { type: 'string', default: '', description: "Use 'policy' instead." },
      },
      operations: {
        read: ({ data, namespace }) => {
          const { name, policy } = readAcl(policies, namespace, data.name)?.data ?? {};
          return name === undefined ? undefined : { data: { name, rules: policy } };
        },
        update: ({ data, namespace }) => {
          const written = writeAcl(policies, namespace, data.name, data.policy || data.rules);
          if (data.policy !== '') return written;
          const deprecated = "'rules' is deprecated, please use 'policy' instead";
          return { warnings: [...(written?.warnings ?? []), deprecated] };
        },
        delete: ({ data, namespace }) => deleteAcl(policies, namespace, data.name),
      },
      help: { synopsis: 'Reads, writes and deletes an ACL policy.' },
    }),
  ];
}
