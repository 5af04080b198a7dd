import { isLiteral, objectNameOf } from '../stacks/blocks';
import { stacksIn } from '../stacks/stacks';

const POLICY_OBJECTS: readonly string[] = ['acl_policy', 'rgp_policy', 'egp_policy'];

/** Shells expand what is offered: `$(…)` in a name of somebody's stack would be run. */
const PLAIN = /^[\w./:@+=-]+$/;

/**
 * The plain names of the policies in the stacks of an app, if they are known before Terraform runs.
 */
export function policyNamesIn(output: string): readonly string[] {
  const names = stacksIn(output).flatMap(({ json }) =>
    Object.entries(json.resource ?? {})
      .filter(([type]) => POLICY_OBJECTS.includes(objectNameOf(type)))
      .flatMap(([, ofType]) => Object.values(ofType).map(({ name }) => name)),
  );
  return [...new Set(names.filter(isLiteral).filter((name) => PLAIN.test(name)))].sort();
}
