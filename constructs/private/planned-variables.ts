import { Annotations, TerraformStack, type TerraformElement, type TerraformVariable } from 'cdktf';
import type { BackendSettings } from './backend-settings';
import { isVariable } from './secret-variable';
import { textInStack } from './secrets';

/**
 * Warns, when the app is synthesized, of secrets from variables that are not ephemeral: Terraform writes the values of
 * those into every plan that is saved, even where they go to a write-only argument alone.
 */
export function warnOfPlannedVariables(
  element: TerraformElement,
  { definition, secrets }: Pick<BackendSettings, 'definition' | 'secrets'>,
): void {
  element.node.addValidation({
    validate: () => {
      for (const [field, value = ''] of Object.entries(secrets)) {
        for (const variable of plannedVariables(element, value)) {
          Annotations.of(element).addWarning(
            `${definition.title}: ${field} comes from the variable ${variable}, whose value saved plans hold in plain ` +
              `text; write VaultSecret.fromVariable('${variable}') without declaring it, or make it ephemeral`,
          );
        }
      }
      return [];
    },
  });
}

/** The variables that a reference mentions, of those that the stack declares as anything but ephemeral. */
function plannedVariables(element: TerraformElement, value: string): string[] {
  const stack = TerraformStack.of(element);
  const mentioned = textInStack(element, value).matchAll(/\bvar\.([\w-]+)/g);
  const names = new Set(Array.from(mentioned, ([, name]) => name as string));
  const declared = stack.node.findAll().filter(isVariable);
  return [...names].filter((name) =>
    declared.some((variable) => variable.friendlyUniqueId === name && !isEphemeral(variable)),
  );
}

function isEphemeral(variable: TerraformVariable): boolean {
  const { variable: declared } = variable.toTerraform() as {
    variable: Readonly<Record<string, { ephemeral?: unknown }>>;
  };
  return declared[variable.friendlyUniqueId]?.ephemeral === true;
}
