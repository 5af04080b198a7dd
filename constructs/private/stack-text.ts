import { DefaultTokenResolver, StringConcat, Tokenization, type TerraformElement } from 'cdktf';

/** Returns a text as Terraform reads it in the stack of an element. */
export function textInStack(element: TerraformElement, value: string): string {
  const resolver = new DefaultTokenResolver(new StringConcat());
  return String(Tokenization.resolve(value, { scope: element, resolver, preparing: false }));
}
