import { TerraformStack, TerraformVariable, Token, type IResolvable, type IResolveContext } from 'cdktf';
import type { IConstruct } from 'constructs';
import { withRequiredVersion } from './required-version';

/** A Terraform variable with a secret, which is declared in every stack that refers to it. */
export class SecretVariable implements IResolvable {
  readonly creationStack: string[] = [];

  constructor(private readonly name: string) {}

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
    return (present as TerraformVariable | undefined) ?? new DeclaredVariable(stack, this.name);
  }
}

export function isVariable(construct: IConstruct): construct is TerraformVariable {
  return 'friendlyUniqueId' in construct && 'stringValue' in construct;
}

/** A variable that the app itself does not declare. */
class DeclaredVariable extends TerraformVariable {
  constructor(stack: TerraformStack, name: string) {
    super(stack, `Variable-${name}`, { type: 'string', sensitive: true, nullable: false });
    this.overrideLogicalId(name);
  }

  /** An older Terraform reports `ephemeral` as a mistake. */
  override toTerraform(): object {
    return withRequiredVersion(super.toTerraform() as object);
  }

  override synthesizeAttributes(): Record<string, unknown> {
    return { ...super.synthesizeAttributes(), ephemeral: true };
  }
}
