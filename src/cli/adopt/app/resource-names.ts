import { UniqueNames } from './names';
import type { App } from './stacks';

/**
 * Returns an app whose resources have names as people write them in plain Terraform, in snake case:
 * `acl_team_a_ops`.
 */
export function withResourceNames(app: App): App {
  const stacks = app.stacks.map((stack) => {
    const names = new UniqueNames('_');
    const parts = stack.parts.map((part) => ({
      ...part,
      declarations: part.declarations.map((each) => ({ ...each, id: names.take(resourceName(each.id)) })),
    }));
    return { ...stack, parts };
  });
  return { ...app, stacks };
}

/** Returns the name of a resource. A repeated word, as in `acl_acl_ops`, is written once. */
function resourceName(id: string): string {
  const words = id
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[-_]+/)
    .filter(Boolean);
  return words.filter((word, index) => word !== words[index - 1]).join('_');
}
