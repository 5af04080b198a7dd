import { objectTitle, secretFields, type ObjectDefinition } from '../../../model';
import { isKnown, type ClientContext, type Context, type Path } from '../../../plugin';
import { versionName, writeOnlyName } from './attributes';

type Values = Readonly<Record<string, unknown>>;

/** What a secret may be given by, and what an author should know of it. Values that are not known yet pass. */
export function reportSecrets(
  definition: Pick<ObjectDefinition, 'fields' | 'title'>,
  config: Values,
  { client, diagnostics }: Pick<Context, 'diagnostics'> & ClientContext,
  { name, within = [] }: { readonly name?: string | undefined; readonly within?: Path },
): void {
  const title = objectTitle(definition, name);
  for (const field of secretFields(definition)) {
    const writeOnly = writeOnlyName(field);
    const version = versionName(field);
    if (isGiven(config[field]) && isGiven(config[writeOnly])) {
      diagnostics.error(
        `${title}: ${field} and ${writeOnly} cannot be used together`,
        `To do: leave out ${field}, which is stored in the state.`,
        [...within, field],
      );
    } else if (isGiven(config[field]) && client.writeOnlyAttributesAllowed) {
      diagnostics.warning(
        `${title}: ${field} is stored in the state`,
        `To do: use ${writeOnly} instead, with ${version} = 1.`,
        [...within, field],
      );
    }
    if (isGiven(config[writeOnly]) && config[version] === null) {
      diagnostics.error(
        `${title}: ${writeOnly} requires ${version}`,
        `${writeOnly} is not stored, so Terraform cannot detect changes: a new version writes the value again.\n` +
          `To do: set ${version} = 1, and increase it whenever the secret changes.`,
        [...within, writeOnly],
      );
    }
  }
}

/**
 * Reports versions that are new although there is nothing to write: the state would say that a secret was changed which the
 * server still has.
 *
 * @param state the values of before; absent where there is no object yet.
 */
export function reportVersions(
  definition: Pick<ObjectDefinition, 'fields' | 'title'>,
  { config, state }: { readonly config: Values; readonly state?: Values | undefined },
  { diagnostics }: Pick<Context, 'diagnostics'>,
  { name, within = [] }: { readonly name?: string | undefined; readonly within?: Path },
): void {
  const title = objectTitle(definition, name);
  for (const field of secretFields(definition)) {
    const writeOnly = writeOnlyName(field);
    const version = versionName(field);
    const before = state?.[version] ?? null;
    if (!isGiven(config[version]) || config[version] === before || config[writeOnly] !== null) continue;
    diagnostics.error(
      `${title}: ${version} has changed, but ${writeOnly} is not set`,
      `Received: ${version} = ${JSON.stringify(config[version])} (previously ${JSON.stringify(before)}), ${writeOnly} = null.\n` +
        `To do: set ${writeOnly} for both the plan and the apply, or leave ${version} unchanged.`,
      [...within, version],
    );
  }
}

/** Known to be there. */
function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && isKnown(value);
}
