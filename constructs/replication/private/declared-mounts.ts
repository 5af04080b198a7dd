import { TerraformResource } from 'cdktf';
import type { IConstruct } from 'constructs';
import { namespacePrefix, normalizeFilterPath } from '../../../src/model';
import { isUnknown } from '../../private/known';

/** A mount or namespace that the app declares, with its path in the notation of filters. */
export interface DeclaredPath {
  readonly path: string;
  readonly kind: 'mount' | 'namespace';
  /** Whether it is never replicated. */
  readonly local: boolean;
}

/** The arguments that all resources for mounts and namespaces have. */
interface Mounting extends TerraformResource {
  readonly pathInput?: string;
  readonly typeInput?: string;
  readonly namespaceInput?: string;
  readonly localInput?: unknown;
}

const SECRETS_ENGINES = ['vault_mount'];
const AUTH_METHODS = ['vault_auth_backend', 'vault_jwt_auth_backend', 'vault_ldap_auth_backend'];
const NAMESPACES = ['vault_namespace', 'vaultadmin_namespace'];

/**
 * Returns the mounts and namespaces that the app declares, if their paths are known at synthesis.
 *
 * @param isOurs whether a resource is on one of the clusters.
 */
export function declaredPaths(
  app: IConstruct,
  isOurs: (resource: TerraformResource) => boolean,
): readonly DeclaredPath[] {
  return app.node
    .findAll()
    .filter((each): each is TerraformResource => TerraformResource.isTerraformResource(each))
    .filter(isOurs)
    .flatMap((resource) => declaredPath(resource as Mounting) ?? []);
}

function declaredPath(resource: Mounting): DeclaredPath | undefined {
  const { terraformResourceType: type, namespaceInput: namespace, localInput: local } = resource;
  const prefix = AUTH_METHODS.includes(type) ? 'auth/' : '';
  const isNamespace = NAMESPACES.includes(type);
  if (prefix === '' && !isNamespace && !SECRETS_ENGINES.includes(type)) return undefined;
  const path = resource.pathInput ?? resource.typeInput;
  if (path === undefined || isUnknown(path) || isUnknown(namespace)) return undefined;
  return {
    path: normalizeFilterPath(`${namespacePrefix(namespace)}${prefix}${path}`),
    kind: isNamespace ? 'namespace' : 'mount',
    local: local === true,
  };
}
