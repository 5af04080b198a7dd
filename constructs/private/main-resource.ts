import { dependable, TerraformResource, TerraformStack, type TerraformElement } from 'cdktf';
import type { Construct, IConstruct } from 'constructs';

/** Makes a resource the one that a construct stands for: with its address, and applied in the order that it was given. */
export function asMainResource(construct: Construct, resource: TerraformResource): void {
  addressAs(construct, resource);
  heedDependencies(resource);
}

/**
 * Gives the element inside a construct the Terraform address that it would have in the construct's place:
 * `vault_policy.Readers`, not `vault_policy.Readers_F07297A3`.
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
 * Makes Terraform apply a resource after what `node.addDependency` names, on the resource itself or on a construct around it. The
 * framework ignores these dependencies.
 */
function heedDependencies(resource: TerraformResource): void {
  let given = resource.dependsOn;
  Object.defineProperty(resource, 'dependsOn', {
    configurable: true,
    enumerable: true,
    get: () => {
      const declared = declaredDependencies(resource);
      return declared.length === 0 ? given : [...(given ?? []), ...declared];
    },
    set: (value: string[] | undefined) => {
      given = value;
    },
  });
}

function declaredDependencies(resource: TerraformResource): string[] {
  const roots = resource.node.scopes.flatMap(({ node }) => node.dependencies);
  if (roots.length === 0) return [];
  const stack = TerraformStack.of(resource);
  const others = new Set(roots.flatMap(resourcesIn));
  others.delete(resource);
  return [...others].filter((other) => TerraformStack.of(other) === stack).map(dependable);
}

function resourcesIn(construct: IConstruct): TerraformResource[] {
  return construct.node.findAll().filter((each) => TerraformResource.isTerraformResource(each));
}
