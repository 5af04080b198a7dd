import {
  describeFinding,
  objectTitle,
  validate,
  type FieldValues,
  type ObjectDefinition,
} from '../../../model';
import type { AdoptedNamespace } from './adopted-namespace';

/** An object as it would be declared. */
interface Declarable {
  readonly definition: ObjectDefinition;
  readonly values: FieldValues & { readonly name: string };
  /** The fields in which the server holds a secret. */
  readonly secrets?: readonly string[];
  /** The other fields that the server does not return. */
  readonly hidden?: readonly string[];
}

/**
 * Whether an object can be declared. A server may hold objects that break a rule, because they were
 * written before the rule existed: a remark names each of them.
 */
export function isDeclarable(
  { definition, values, secrets = [], hidden = [] }: Declarable,
  place: AdoptedNamespace,
): boolean {
  const { name } = values;
  const errors = validate(definition, values, new Set(secrets)).filter(
    ({ severity }) => severity === 'error',
  );
  for (const finding of errors) {
    const title = objectTitle(definition, name);
    const fault = describeFinding(definition, name, finding).line.slice(`${title}: `.length);
    const text = hidden.length === 0 ? fault : `${fault}; the server does not return ${hidden.join(', ')}`;
    place.remarks.leftOut.push({ cluster: place.cluster, subject: place.subject(title), text });
  }
  return errors.length === 0;
}
