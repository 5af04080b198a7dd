import { noEphemeralReference, noVariableName } from '../private/messages';
import { SecretVariable } from '../private/secret-variable';

/** Secrets for an app: where Terraform takes them from when it runs. They are never part of the app itself. */
export class VaultSecret {
  /**
   * A secret that Terraform takes from a variable, so from `TF_VAR_<name>`, a `.tfvars` file or a pipeline's
   * settings. Every stack that uses the secret declares the variable for itself, as sensitive and ephemeral: its
   * value is kept out of output, plan and state.
   *
   * Where the secret is used in a resource that stores it, which a warning then tells of, the variable is sensitive
   * alone.
   *
   * @param name of the variable.
   * @throws Error for what cannot be a variable's name.
   */
  public static fromVariable(name: string): string {
    if (typeof name !== 'string' || !/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) throw noVariableName();
    return new SecretVariable(name).toString();
  }

  /**
   * A secret that Terraform reads when it runs, and keeps out of output, plan and state: an attribute of an ephemeral
   * resource that the stack declares.
   *
   * @param reference to the attribute: `ephemeral.vault_kv_secret_v2.hsm.data.pin`.
   * @throws Error for a reference to anything else.
   */
  public static fromEphemeral(reference: string): string {
    if (!/^ephemeral\.[A-Za-z_][\w-]*\.[A-Za-z_][\w-]*[.[][^{}]+$/.test(reference))
      throw noEphemeralReference();
    return `\${${reference}}`;
  }
}
