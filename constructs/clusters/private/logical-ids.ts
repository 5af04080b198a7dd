import { TerraformResource, TerraformStack } from 'cdktf';
import type { Construct } from 'constructs';
import { literal, type Phrase, phrase } from '../../../src/model/messages';
import { checkAtSynthesis } from '../../private/report';

const CHECKED = new WeakSet<TerraformStack>();

/**
 * Refuses the stack of a construct, at synthesis, if two of its resources have the same address in
 * Terraform. The framework writes only the last of them, and an apply would delete the object of
 * the other one.
 */
export function checkAddresses(construct: Construct): void {
  const stack = TerraformStack.of(construct);
  if (CHECKED.has(stack)) return;
  CHECKED.add(stack);
  checkAtSynthesis(stack, () => sharedAddresses(stack));
}

function sharedAddresses(stack: TerraformStack): readonly Phrase[] {
  const first = new Map<string, TerraformResource>();
  const problems: Phrase[] = [];
  for (const element of stack.node.findAll()) {
    if (!TerraformResource.isTerraformResource(element)) continue;
    const address = `${element.terraformResourceType}.${element.friendlyUniqueId}`;
    const other = first.get(address);
    if (other) problems.push(sameAddress(address, other, element));
    else first.set(address, element);
  }
  return problems;
}

function sameAddress(address: string, first: TerraformResource, second: TerraformResource): Phrase {
  return phrase`[${first.node.path}] and [${second.node.path}] have the same address in Terraform,
    ${literal(address)}, so the framework would leave one of them out; give one of the two another id: the framework
    removes characters other than letters, digits, - and _ from ids`;
}
