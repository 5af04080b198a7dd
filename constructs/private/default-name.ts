import type { Construct } from 'constructs';

/** A name for an object that was given none: its construct's path, from the stack on, in the letters of names. */
export function defaultName(construct: Construct): string {
  return construct.node.path
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}
