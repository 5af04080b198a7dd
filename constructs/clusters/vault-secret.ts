import { noEphemeralReference, noVariableName } from '../private/messages';
import { SecretVariable } from '../private/secret-variable';

/**
 * References to secrets, which Terraform resolves when it runs. The secrets are never part of the
 * app.
 */
export class VaultSecret {
  /**
   * Returns a reference to a secret in a Terraform variable: in `TF_VAR_<name>`, a `.tfvars` file
   * or the settings of a pipeline.
   *
   * Every stack that uses the secret declares the variable as sensitive and ephemeral, which keeps
   * its value out of output, plan and state. If a resource stores the secret, the variable is only
   * sensitive, and there is a warning.
   *
   * @param name the name of the variable.
   * @throws Error for an invalid name.
   */
  public static fromVariable(name: string): string {
    return variable(name, false);
  }

  /**
   * Returns a reference to a secret in a Terraform variable, like `fromVariable`. The variable
   * needs no value as long as the secret stays unchanged on the server.
   *
   * This is for objects that were imported, whose secrets may not be at hand. Without a value, a
   * change of the object leaves the secret out. Creating the object, and changing the version of
   * the secret, fails in the plan.
   *
   * @param name the name of the variable.
   * @throws Error for an invalid name.
   */
  public static fromOptionalVariable(name: string): string {
    return variable(name, true);
  }

  /**
   * Returns a reference to a secret in an ephemeral resource that the stack declares. Its value is
   * kept out of output, plan and state.
   *
   * @param reference the reference to the attribute, such as
   *   `ephemeral.vault_kv_secret_v2.hsm.data.pin`.
   * @throws Error for a reference to anything else.
   */
  public static fromEphemeral(reference: string): string {
    if (!/^ephemeral\.[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*[.[][^{}]+$/.test(reference))
      throw noEphemeralReference();
    return `\${${reference}}`;
  }
}

function variable(name: string, isOptional: boolean): string {
  if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) throw noVariableName();
  return new SecretVariable(name, isOptional).toString();
}
