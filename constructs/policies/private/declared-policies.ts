import {
  DefaultTokenResolver,
  type IPostProcessor,
  type IResolvable,
  type IResolveContext,
  StringConcat,
  TerraformResource,
  Tokenization,
  type TerraformElement,
} from 'cdktf';
import type { IConstruct } from 'constructs';
import { placedTemplate } from '../../placement/place-text';
import { POLICY_RESOURCE_TYPES, type PolicyKind } from '../../../src/model';

/** A policy that an app declares, as Terraform gets it: `${…}` is an expression. */
export interface DeclaredPolicy {
  readonly kind: PolicyKind;
  readonly resource: TerraformResource;
  /** The cluster's name in the app; `undefined` if there is one without a name. */
  readonly cluster: string | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Resolves texts that are placed beside their stack as well: as they would stand in the stack itself. */
class WholeTexts extends DefaultTokenResolver {
  public override resolveToken(
    token: IResolvable,
    context: IResolveContext,
    postProcessor: IPostProcessor,
  ): unknown {
    return placedTemplate(token) ?? (super.resolveToken(token, context, postProcessor) as unknown);
  }
}

const RESOLVER = new WholeTexts(new StringConcat());

/** The policy that an element of an app is, if it is one: of this package's constructs, or of any bindings. */
export function declaredPolicy(element: IConstruct): DeclaredPolicy | undefined {
  if (!TerraformResource.isTerraformResource(element)) return undefined;
  const kind = POLICY_RESOURCE_TYPES[element.terraformResourceType];
  if (!kind) return undefined;
  const values = argumentsOf(element);
  return { kind, resource: element, cluster: clusterOf(values), arguments: values };
}

/** Every policy that a construct or something in it declares. */
export function declaredPolicies(scope: IConstruct): readonly DeclaredPolicy[] {
  return scope.node.findAll().flatMap((element) => declaredPolicy(element) ?? []);
}

function argumentsOf(resource: TerraformResource): Readonly<Record<string, unknown>> {
  const { resource: blocks } = resolve(resource, resource.toTerraform()) as {
    readonly resource: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>>;
  };
  return Object.values(blocks[resource.terraformResourceType] ?? {})[0] ?? {};
}

function resolve(scope: TerraformElement, value: unknown): unknown {
  return Tokenization.resolve(value, { scope, resolver: RESOLVER, preparing: false });
}

/** The provider of hashicorp/vault has an alias for each cluster, `vaultadmin` an argument. */
function clusterOf({ cluster, provider }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof cluster === 'string') return cluster;
  return typeof provider === 'string' ? /^vault\.(.+)$/.exec(provider)?.[1] : undefined;
}
