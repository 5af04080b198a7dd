import { TerraformStack, TerraformVariable, Token, type IResolvable, type IResolveContext } from 'cdktf';
import { noVariableName } from '../private/errors';

/** Secrets for an app: where Terraform takes them from when it runs. They are never part of the app itself. */
export class VaultSecret {
  /**
   * A secret that Terraform takes from a variable, so from `TF_VAR_<name>`, a `.tfvars` file or a pipeline's
   * settings. Every stack that uses the secret declares the variable for itself, as sensitive and ephemeral: its
   * value is kept out of output, plan and state.
   *
   * @param name of the variable.
   * @throws Error for what cannot be a variable's name.
   */
  public static fromVariable(name: string): string {
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(name)) throw noVariableName();
    return Token.asString(new StackVariable(name));
  }
}

/** A Terraform variable that is declared in every stack that refers to it. */
class StackVariable implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly name: string) {}

  resolve(context: IResolveContext): string {
    return this.variableOf(TerraformStack.of(context.scope)).stringValue;
  }

  toString(): string {
    return Token.asString(this);
  }

  private variableOf(stack: TerraformStack): TerraformVariable {
    const present = stack.node.tryFindChild(this.name);
    if (present) return present as TerraformVariable;
    const variable = new TerraformVariable(stack, this.name, {
      type: 'string',
      sensitive: true,
      nullable: false,
    });
    variable.overrideLogicalId(this.name);
    variable.addOverride('ephemeral', true);
    return variable;
  }
}
