import {
  TerraformStack,
  TerraformVariable,
  Token,
  Tokenization,
  type IResolvable,
  type IResolveContext,
} from 'cdktf';
import type { IConstruct } from 'constructs';
import { withRequiredVersion } from './required-version';

/** A Terraform variable with a secret, which is declared in every stack that refers to it. */
export class SecretVariable implements IResolvable {
  readonly creationStack: string[] = [];

  /**
   * Refers to a variable.
   *
   * @param stored whether the secret is used in an argument that Terraform stores, where
   *   ephemeral values are not allowed.
   */
  constructor(
    private readonly name: string,
    private readonly stored = false,
  ) {}

  /** Returns the same secret, for an argument that Terraform stores. */
  get forStoredArgument(): SecretVariable {
    return new SecretVariable(this.name, true);
  }

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
    const variable = (present as TerraformVariable | undefined) ?? new DeclaredVariable(stack, this.name);
    if (this.stored && variable instanceof DeclaredVariable) variable.isEphemeral = false;
    return variable;
  }
}

export function isVariable(construct: IConstruct): construct is TerraformVariable {
  return 'friendlyUniqueId' in construct && 'stringValue' in construct;
}

/**
 * Returns a reference to a secret, for an argument that Terraform stores.
 *
 * @returns the reference itself if it does not belong to a {@link SecretVariable}.
 */
export function forStoredArgument(secret: string): string {
  const [token, ...others] = Tokenization.reverseString(secret).tokens;
  return token instanceof SecretVariable && others.length === 0 ? token.forStoredArgument.toString() : secret;
}

/** A variable that the app itself does not declare. */
class DeclaredVariable extends TerraformVariable {
  isEphemeral = true;

  constructor(stack: TerraformStack, name: string) {
    super(stack, `Variable-${name}`, { type: 'string', sensitive: true, nullable: false });
    this.overrideLogicalId(name);
  }

  /** An older Terraform reports `ephemeral` as a mistake. */
  override toTerraform(): object {
    const block = super.toTerraform() as object;
    return this.isEphemeral ? withRequiredVersion(block) : block;
  }

  override synthesizeAttributes(): Record<string, unknown> {
    return { ...super.synthesizeAttributes(), ephemeral: this.isEphemeral || undefined };
  }
}
