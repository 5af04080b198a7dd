import type { MountBackend, BackendFactory, OperationHandler, Route } from '../core/backend';
import { ReadOnlyError } from '../core/errors';
import type { ClusterParts } from '../core/request/parts';
import { entityAliasRoutes } from './entity-alias-routes';
import { entityRoutes } from './entity-routes';
import { groupAliasRoutes } from './group-alias-routes';
import { groupRoutes } from './group-routes';
import { lookupRoutes } from './lookup-routes';
import { OIDC_UNAUTHENTICATED_PATHS, oidcDiscoveryRoutes, storedSettingRoutes } from '../stored-settings';

/** The identity store: entities, groups, and their aliases in auth methods. */
export function identityBackend(parts: ClusterParts): BackendFactory {
  return ({ mount }): MountBackend => ({
    type: mount.type,
    help: 'The identity store knows entities and groups, and the names that auth methods have for them.',
    routes: [
      ...[entityRoutes, entityAliasRoutes, groupRoutes, groupAliasRoutes].flatMap((routesOf) =>
        routesOf(parts).map((each) => writtenOnPrimary(parts, each)),
      ),
      ...lookupRoutes(parts),
      ...storedSettingRoutes(parts, 'identity'),
      ...oidcDiscoveryRoutes(parts),
    ],
    unauthenticatedPaths: OIDC_UNAUTHENTICATED_PATHS,
  });
}

/**
 * Returns a route whose writes are forwarded to the primary. Only logins may write entities on a
 * secondary.
 */
function writtenOnPrimary({ replication }: ClusterParts, route: Route): Route {
  const { update, delete: remove } = route.operations;
  const onPrimary =
    (handler: OperationHandler): OperationHandler =>
    (request) => {
      if (replication.mode === 'secondary') throw new ReadOnlyError();
      return handler(request);
    };
  return {
    ...route,
    operations: {
      ...route.operations,
      ...(update && { update: onPrimary(update) }),
      ...(remove && { delete: onPrimary(remove) }),
    },
  };
}
