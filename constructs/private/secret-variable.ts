import { TerraformStack, TerraformVariable, Token, type IResolvable, type IResolveContext } from 'cdktf';
import type { IConstruct } from 'constructs';
import { withRequiredVersion } from './required-version';

/** A Terraform variable with a secret, which is declared in every stack that refers to it. */
export class SecretVariable implements IResolvable {
  readonly creationStack: string[] = [];

  /** @param isOptional whether the variable may be left without a value. */
  constructor(
    private readonly name: string,
    private readonly isOptional: boolean,
  ) {}

  resolve(context: IResolveContext): string {
    return this.variableOf(TerraformStack.of(context.scope)).stringValue;
  }

  toString(): string {
    return Token.asString(this);
  }

  private variableOf(stack: TerraformStack): TerraformVariable {
    const present = stack.node.children.find(
      (child) => isVariable(child) && child.friendlyUniqueId === this.name,
    );
    const variable =
      (present as TerraformVariable | undefined) ?? new DeclaredVariable(stack, this.name, this.isOptional);
    // If one of the secrets is required, the variable needs a value for all of them.
    if (!this.isOptional && variable instanceof DeclaredVariable) variable.isOptional = false;
    return variable;
  }
}

export function isVariable(construct: IConstruct): construct is TerraformVariable {
  return 'friendlyUniqueId' in construct && 'stringValue' in construct;
}

/** A variable that the app itself does not declare. */
class DeclaredVariable extends TerraformVariable {
  constructor(
    stack: TerraformStack,
    name: string,
    public isOptional: boolean,
  ) {
    super(stack, `Variable-${name}`, { type: 'string', sensitive: true });
    this.overrideLogicalId(name);
  }

  /** Adds the required version: an older Terraform would report `ephemeral` as a mistake. */
  override toTerraform(): object {
    const block = super.toTerraform() as { terraform?: object; variable: Readonly<Record<string, object>> };
    // The framework cannot handle null among attributes, so it is added here.
    const presence = this.isOptional ? { default: null } : { nullable: false };
    const name = this.friendlyUniqueId;
    const variable = { [name]: { ...block.variable[name], ...presence } };
    return { ...withRequiredVersion(block), variable };
  }

  override synthesizeAttributes(): Record<string, unknown> {
    return { ...super.synthesizeAttributes(), ephemeral: true };
  }
}
