import {
  describeFinding,
  namespacePathProblem,
  secretFields,
  validate,
  type ObjectDefinition,
} from '../../model';
import { isWhollyKnown, type Diagnostics, type Path } from '../../plugin';
import { reportFinding } from '../messages';
import { nameIn, textIn } from './values';
import { givenBy, isLeftToServer, secretChoice, withSecrets } from './secrets';

/**
 * Reports the model's findings about the values of a user.
 *
 * @param config the values by attribute. Rules on absent or unknown fields are not checked.
 * @param within returns the path of the block that contains a field.
 */
export function reportFindings(
  definition: ObjectDefinition,
  config: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostics,
  within: (field: string) => Path = () => [],
): void {
  const values = withSecrets(definition, config);
  const secrets = secretFields(definition);
  const open = Object.keys(definition.fields).filter(
    (field) =>
      values[field] === undefined ||
      !isWhollyKnown(values[field]) ||
      (secrets.includes(field) && isLeftToServer(config, field)),
  );
  const name = nameIn(definition, values);
  for (const finding of validate(definition, values, new Set(open))) {
    const { summary, detail } = describeFinding(definition, name, finding);
    const { field } = finding;
    const isSecret = secrets.includes(field);
    const attribute = isSecret ? givenBy(config, field) : field;
    const choice = isSecret && values[field] === null ? `\n${secretChoice(field)}` : '';
    diagnostics[finding.severity](summary, detail + choice, [...within(field), attribute]);
  }
}

/** Reports that no server can have the namespace of an object. */
export function reportNamespace(
  definition: ObjectDefinition,
  config: Readonly<Record<string, unknown>>,
  diagnostics: Diagnostics,
): void {
  const namespace = textIn(config, 'namespace');
  const problem = namespace === null ? undefined : namespacePathProblem(namespace);
  if (!problem) return;
  const finding = { severity: 'error', rule: 'namespace-path', field: 'namespace', ...problem } as const;
  reportFinding(diagnostics, definition, nameIn(definition, config), finding, ['namespace']);
}
