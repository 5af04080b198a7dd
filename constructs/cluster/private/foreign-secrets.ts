import { DefaultTokenResolver, StringConcat, Tokenization, type TerraformProvider } from 'cdktf';
import type { VaultConnection } from '../connection';

/**
 * Refuses secrets that are references to another stack: the framework hands such a reference over through an
 * output, which that stack's state holds in plain text.
 */
export function refuseSecretsOfOtherStacks(
  provider: TerraformProvider,
  { token, authLogin }: VaultConnection,
): void {
  const secrets = Object.entries({ token, ...authLogin?.parameters });
  const foreign = (value: string | undefined): boolean =>
    value !== undefined && expressionOf(provider, value).includes('data.terraform_remote_state.');

  provider.node.addValidation({
    validate: () =>
      secrets
        .filter(([, value]) => foreign(value))
        .map(
          ([name]) =>
            `Vault cluster: ${name} refers to another stack, whose state would hold it in plain text; ` +
            `allowed: a reference within the stack; write VaultSecret.fromVariable('${name}'), ` +
            'which every stack takes from a variable of its own',
        ),
  });
}

function expressionOf(provider: TerraformProvider, value: string): string {
  const resolver = new DefaultTokenResolver(new StringConcat());
  return String(Tokenization.resolve(value, { scope: provider, resolver, preparing: false }));
}
