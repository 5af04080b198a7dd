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

/** A policy that an app declares, as it is written for Terraform: `${…}` is an expression. */
export interface DeclaredPolicy {
  readonly kind: PolicyKind;
  readonly resource: TerraformResource;
  /** The name of the cluster in the app; `undefined` if it has none. */
  readonly cluster: string | undefined;
  readonly arguments: Readonly<Record<string, unknown>>;
}

/** Resolves texts to their form in the stack, including texts that are stored beside the stack. */
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

/**
 * Returns the policy that an element of an app declares, with this package's constructs or with any
 * bindings.
 */
export function declaredPolicy(element: IConstruct): DeclaredPolicy | undefined {
  if (!TerraformResource.isTerraformResource(element)) return undefined;
  const kind = POLICY_RESOURCE_TYPES[element.terraformResourceType];
  if (!kind) return undefined;
  const values = argumentsOf(element);
  return { kind, resource: element, cluster: clusterOf(values), arguments: values };
}

/** Returns the policies that a construct or an element in it declares. */
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

/**
 * Returns the name of a resource's cluster: the alias of its provider for hashicorp/vault, or an
 * argument of a `vaultadmin` resource.
 */
function clusterOf({ cluster, provider }: Readonly<Record<string, unknown>>): string | undefined {
  if (typeof cluster === 'string') return cluster;
  return typeof provider === 'string' ? /^vault\.(.+)$/.exec(provider)?.[1] : undefined;
}
