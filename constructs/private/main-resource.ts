import { dependable, TerraformResource, TerraformStack, type TerraformElement } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';

/**
 * Makes a resource the main one of a construct: it gets the construct's address and dependencies.
 */
export function asMainResource(construct: Construct, resource: TerraformResource): void {
  addressAs(construct, resource);
  heedDependencies(resource);
}

/**
 * Gives the element inside a construct the Terraform address that it would have in the construct's
 * place: `vault_policy.Readers`, not `vault_policy.Readers_F07297A3`.
 */
export function addressAs(construct: Construct, element: TerraformElement): void {
  element.overrideLogicalId(TerraformStack.of(construct).getLogicalId(construct.node));
}

/** Makes Terraform apply the resources within `later` after those within `earlier`. */
export function applyInOrder(earlier: IConstruct, later: IConstruct): void {
  const references = resourcesIn(earlier).map(dependable);
  for (const resource of resourcesIn(later)) {
    resource.dependsOn = [...(resource.dependsOn ?? []), ...references];
  }
}

/**
 * Makes Terraform apply a resource after the dependencies of `node.addDependency`, on the resource
 * itself or on a construct around it. The framework ignores them. They are read at synthesis, when
 * all of them are declared.
 */
function heedDependencies(resource: TerraformResource): void {
  const toTerraform = resource.toTerraform.bind(resource) as () => unknown;
  const heeded: TerraformResource[] = [resource];
  resource.toTerraform = () => {
    const others = declaredDependencies(resource).filter((other) => !heeded.includes(other));
    if (others.length > 0) {
      heeded.push(...others);
      resource.dependsOn = [...(resource.dependsOn ?? []), ...others.map(dependable)];
    }
    return toTerraform();
  };
}

function declaredDependencies(resource: TerraformResource): readonly TerraformResource[] {
  const roots: IConstruct[] = [];
  for (let scope: IConstruct | undefined = resource; scope; scope = scope.node.scope) {
    roots.push(...scope.node.dependencies);
  }
  if (roots.length === 0) return [];
  const stack = TerraformStack.of(resource);
  return [...new Set(roots.flatMap(resourcesIn))].filter((other) => TerraformStack.of(other) === stack);
}

function resourcesIn(construct: IConstruct): TerraformResource[] {
  return construct.node.findAll().filter((each) => TerraformResource.isTerraformResource(each));
}
