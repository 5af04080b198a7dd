import type { Construct } from 'constructs';

/** A name for a policy that was given none: its path, from the stack on, in the letters that names are made of. */
export function defaultPolicyName(construct: Construct): string {
  return construct.node.path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
