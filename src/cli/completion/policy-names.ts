import { isLiteral, objectNameOf } from '../stacks/blocks';
import { stacksIn } from '../stacks/stacks';

const POLICY_OBJECTS: readonly string[] = ['acl_policy', 'rgp_policy', 'egp_policy'];

/**
 * Matches names that are safe to offer: a shell expands what is offered, so it would run `$(…)` in
 * a name.
 */
const PLAIN = /^[\w./:@+=-]+$/;

/**
 * Returns the safe names of the policies in the stacks of an app. Names that only Terraform knows
 * are left out.
 */
export function policyNamesIn(output: string): readonly string[] {
  const names = stacksIn(output).flatMap(({ json }) =>
    Object.entries(json.resource ?? {})
      .filter(([type]) => POLICY_OBJECTS.includes(objectNameOf(type)))
      .flatMap(([, ofType]) => Object.values(ofType).map(({ name }) => name)),
  );
  return [...new Set(names.filter(isLiteral).filter((name) => PLAIN.test(name)))].sort();
}
