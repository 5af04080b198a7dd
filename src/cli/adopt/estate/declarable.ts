import {
  describeFinding,
  objectTitle,
  validate,
  type FieldValues,
  type ObjectDefinition,
} from '../../../model';
import type { Place } from './place';

/** The fields of an object that a server does not return. */
interface Untold {
  /** Fields in which it holds a secret. */
  readonly secrets: readonly string[];
  /** Other fields, which it keeps to itself. */
  readonly others?: readonly string[];
}

/**
 * Whether an object can be declared: servers hold what was written before they, or this package, had a rule against it.
 * What cannot is remarked.
 */
export function isDeclarable(
  definition: ObjectDefinition,
  values: FieldValues & { readonly name: string },
  place: Place,
  { secrets, others = [] }: Untold = { secrets: [] },
): boolean {
  const { name } = values;
  const errors = validate(definition, values, new Set(secrets)).filter(
    ({ severity }) => severity === 'error',
  );
  for (const finding of errors) {
    const title = objectTitle(definition, name);
    const fault = describeFinding(definition, name, finding).line.slice(`${title}: `.length);
    const text = others.length === 0 ? fault : `${fault}; the server does not return ${others.join(', ')}`;
    place.remarks.leftOut.push({ cluster: place.cluster, subject: place.subject(title), text });
  }
  return errors.length === 0;
}
