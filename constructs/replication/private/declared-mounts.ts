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

/** The arguments that resources for mounts and namespaces can have. */
interface Mounting extends TerraformResource {
  readonly pathInput?: string;
  /** The name of the path in some resources. */
  readonly backendInput?: string;
  readonly typeInput?: string;
  readonly namespaceInput?: string;
  readonly localInput?: unknown;
}

/** The members that only the resources of secrets engines and of auth methods have. */
const OF_SECRETS_ENGINE = 'defaultLeaseTtlSecondsInput';
const OF_AUTH_METHOD = 'tuneInput';
/**
 * Matches a type of a resource for one kind of engine. Its path is the kind by default:
 * `terraform` for `vault_terraform_cloud_secret_backend`.
 */
const OF_ONE_KIND = /^vault_([a-z]+)(?:_cloud)?_(?:auth|secret)_backend$/;
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
  const prefix = OF_AUTH_METHOD in resource ? 'auth/' : '';
  const isNamespace = NAMESPACES.includes(type);
  if (prefix === '' && !isNamespace && !(OF_SECRETS_ENGINE in resource)) return undefined;
  const [, kind = resource.typeInput] = OF_ONE_KIND.exec(type) ?? [];
  const path = resource.pathInput ?? resource.backendInput ?? kind;
  if (path === undefined || isUnknown(path) || isUnknown(namespace)) return undefined;
  return {
    path: normalizeFilterPath(`${namespacePrefix(namespace)}${prefix}${path}`),
    kind: isNamespace ? 'namespace' : 'mount',
    local: local === true,
  };
}
