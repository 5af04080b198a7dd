import { phrase } from '../../../model/messages';
import { report } from '../../messages';
import { objectTitle, secretFields, type ObjectDefinition } from '../../../model';
import { isKnown, type ClientContext, type Context, type Path } from '../../../plugin';
import type { AttributeValues } from '../values';
import { versionName, writeOnlyName } from './attributes';

/**
 * Checks the attributes that set a secret, and warns about a stored secret. Unknown values are
 * accepted.
 */
export function reportSecrets(
  definition: Pick<ObjectDefinition, 'fields' | 'title'>,
  config: AttributeValues,
  { clientCapabilities: client, diagnostics }: Pick<Context, 'diagnostics'> & ClientContext,
  { name, within = [] }: { readonly name?: string | undefined; readonly within?: Path },
): void {
  const title = objectTitle(definition, name);
  for (const field of secretFields(definition)) {
    const writeOnly = writeOnlyName(field);
    const version = versionName(field);
    if (isGiven(config[field]) && isGiven(config[writeOnly])) {
      report(diagnostics, 'error', {
        path: [...within, field],
        summary: `${title}: ${field} and ${writeOnly} cannot be used together`,
        cures: `leave out ${field}, which is stored in the state`,
      });
    } else if (isGiven(config[field]) && client.writeOnlyAttributesAllowed) {
      report(diagnostics, 'warning', {
        path: [...within, field],
        summary: `${title}: ${field} is stored in the state`,
        cures: `use ${writeOnly} instead, with ${version} = 1`,
      });
    }
    if (isGiven(config[writeOnly]) && config[version] === null) {
      report(diagnostics, 'error', {
        path: [...within, writeOnly],
        summary: `${title}: ${writeOnly} requires ${version}`,
        details: phrase`${writeOnly} is not stored, so Terraform cannot detect changes: a new version
          writes the value again.`,
        cures: `set ${version} = 1, and increase it whenever the secret changes`,
      });
    }
  }
}

/**
 * Reports a changed version without a secret to write: the state would have the new version while
 * the server still has the old secret.
 *
 * @param state the values of the state; absent if there is no object yet
 */
export function reportVersions(
  definition: Pick<ObjectDefinition, 'fields' | 'title'>,
  { config, state }: { readonly config: AttributeValues; readonly state?: AttributeValues | undefined },
  { diagnostics }: Pick<Context, 'diagnostics'>,
  { name, within = [] }: { readonly name?: string | undefined; readonly within?: Path },
): void {
  const title = objectTitle(definition, name);
  for (const field of secretFields(definition)) {
    const writeOnly = writeOnlyName(field);
    const version = versionName(field);
    const before = state?.[version] ?? null;
    if (!isGiven(config[version]) || config[version] === before || config[writeOnly] !== null) continue;
    report(diagnostics, 'error', {
      path: [...within, version],
      summary: `${title}: ${version} has changed, but ${writeOnly} is not set`,
      received: phrase`${version} = ${JSON.stringify(config[version])} (previously
        ${JSON.stringify(before)}), ${writeOnly} = null`,
      cures: `set ${writeOnly} for both the plan and the apply, or leave ${version} unchanged`,
    });
  }
}

/** Whether a value is known and not null. */
function isGiven(value: unknown): boolean {
  return value !== null && value !== undefined && isKnown(value);
}
