import { TerraformStack, type TerraformElement, type TerraformVariable } from 'cdktf';
import { checkAtSynthesis, warn } from './report';
import { isVariable } from './secret-variable';
import type { GivenSecret } from './secrets';
import { textInStack } from './stack-text';
import { code, phrase, property, variable } from '../../src/model/messages';

/** A variable as a stack declares it. */
interface Declaration {
  readonly name: string;
  readonly ephemeral?: unknown;
  readonly default?: unknown;
}

/**
 * Checks the variables of secrets when the app is synthesized. A default is refused, because it is
 * a secret in the code. A variable that is not ephemeral causes a warning, because Terraform writes
 * its value into every saved plan, even if only a write-only argument uses it.
 *
 * @param subject the owner of the secrets, for messages.
 */
export function watchVariables(
  element: TerraformElement,
  subject: string,
  secrets: readonly GivenSecret[],
): void {
  checkAtSynthesis(element, () =>
    secrets.flatMap(({ name: prop, title = property(prop), value = '' }) => {
      const variables = declarations(element, value);
      for (const { name } of variables.filter(({ ephemeral }) => ephemeral !== true)) {
        warn(
          element,
          phrase`${subject}: ${title} comes from the variable ${name}, whose value is in plain text in saved plans;
            write ${code(`VaultSecret.fromVariable('${name}')`)} without declaring it, or make it ephemeral`,
        );
      }
      return variables
        .filter(({ default: fallback }) => (fallback ?? '') !== '')
        .map(
          ({ name }) =>
            phrase`${subject}: ${title} comes from the variable ${name}, whose default is in plain text in the code;
              remove the default and set ${variable(`TF_VAR_${name}`)}`,
        );
    }),
  );
}

/** Returns the variables of the stack to which a text refers. */
function declarations(element: TerraformElement, value: string): Declaration[] {
  const mentioned = textInStack(element, value).matchAll(/\bvar\.([\w-]+)/g);
  const names = new Set(Array.from(mentioned, ([, name]) => name));
  const variables = TerraformStack.of(element).node.findAll().filter(isVariable);
  return variables.filter(({ friendlyUniqueId }) => names.has(friendlyUniqueId)).map(declaration);
}

function declaration(variable: TerraformVariable): Declaration {
  const name = variable.friendlyUniqueId;
  const { variable: declared } = variable.toTerraform() as { variable: Record<string, object> };
  return { ...declared[name], name };
}
