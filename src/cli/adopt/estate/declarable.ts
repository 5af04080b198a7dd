import {
  describeFinding,
  objectTitle,
  validate,
  type FieldValues,
  type ObjectDefinition,
} from '../../../model';
import type { Place } from './place';

/**
 * Whether an object can be declared: servers hold what was written before they, or this package, had a rule against it.
 * What cannot is remarked.
 *
 * @param untold fields that the server holds and does not tell.
 */
export function isDeclarable(
  definition: ObjectDefinition,
  values: FieldValues & { readonly name: string },
  { cluster, remarks, subject }: Place,
  untold: readonly string[] = [],
): boolean {
  const { name } = values;
  const errors = validate(definition, values, new Set(untold)).filter(({ severity }) => severity === 'error');
  for (const finding of errors) {
    remarks.leftOut.push({
      cluster,
      subject: subject(objectTitle(definition, name)),
      text: describeFinding(definition, name, finding).line,
    });
  }
  return errors.length === 0;
}
