import { type Namespace, type Route, route, type TokenEntry } from '../core/backend';
import { permissionDenied } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import type { JsonObject } from '../core/primitives/json';

/** The route that returns the ACL of a token, which Vault's user interface reads first. */
export function resultantAclRoutes(cluster: ClusterParts): readonly Route[] {
  return [
    route({
      pattern: 'internal/ui/resultant-acl',
      operations: {
        read: ({ namespace, token }) => {
          if (token === undefined) throw permissionDenied();
          return { data: resultantAcl(cluster, namespace, token) };
        },
      },
      help: { synopsis: 'Shows the capabilities of the calling token, by path.' },
    }),
  ];
}

function resultantAcl({ authorizer }: ClusterParts, namespace: Namespace, token: TokenEntry): JsonObject {
  const acl = authorizer.aclFor(token);
  const { exact, globs } = acl.rules();
  const below = (rules: readonly (readonly [string, readonly string[]])[]): JsonObject =>
    Object.fromEntries(
      rules
        .filter(([path]) => path.startsWith(namespace.path))
        .map(([path, capabilities]) => [path.slice(namespace.path.length), { capabilities }]),
    );
  return {
    root: acl.isRoot,
    chroot_namespace: '',
    exact_paths: below(exact),
    glob_paths: below(globs),
  };
}
