import { describeFinding, validate, type FieldValues, type ObjectDefinition } from '../../model';
import { isWhollyKnown, type Diagnostics } from '../../plugin';

/**
 * Tells what the model finds wrong with values that a user gave.
 *
 * @param values by field. Rules on fields that are absent, or not known yet, wait.
 */
export function reportFindings(
  definition: ObjectDefinition,
  values: FieldValues,
  diagnostics: Diagnostics,
): void {
  const open = Object.keys(definition.fields).filter(
    (field) => !(field in values) || !isWhollyKnown(values[field]),
  );
  const name = typeof values.name === 'string' ? values.name : undefined;
  for (const finding of validate(definition, values, new Set(open))) {
    const { summary, detail } = describeFinding(definition, name, finding);
    diagnostics[finding.severity](summary, detail, [finding.field]);
  }
}
