import type { TextProblem } from './definition/rules';

/** The prefix of the provider's resource types, and the last part of its address. */
export const PROVIDER_NAME = 'vaultadmin';

/**
 * The address of the provider in configurations, unless an app or a release sets another. No
 * registry has this host.
 */
export const PROVIDER_ADDRESS = `vault-admin.internal/cdktf/${PROVIDER_NAME}`;

/** An example of an address in a registry, for messages and help. */
export const EXAMPLE_ADDRESS = `app.terraform.io/acme/${PROVIDER_NAME}`;

const LABEL = '[a-z0-9]+(?:-+[a-z0-9]+)*';
const HOST = new RegExp(`^(?:localhost|${LABEL}(?:\\.${LABEL})+)(?::[1-9][0-9]{0,4})?$`);
const NAMESPACE = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/** Whether an address is that of this provider, in any registry. */
export function isProviderAddress(address: string | undefined): boolean {
  return address?.split('/').at(-1) === PROVIDER_NAME;
}

/**
 * Returns the problem of an address of the provider; `undefined` if it is valid. Apps, the command
 * line, the provider and releases share this rule. It requires lower case, because Terraform writes
 * addresses in lower case to lock files and states.
 */
export function providerAddressProblem(address: unknown): TextProblem | undefined {
  const parts = typeof address === 'string' ? address.split('/') : [];
  const [host = '', namespace = '', type] = parts;
  if (parts.length === 3 && HOST.test(host) && NAMESPACE.test(namespace) && type === PROVIDER_NAME)
    return undefined;
  return {
    problem: 'is not a valid address of the provider',
    received: JSON.stringify(address),
    allowed: `HOST/NAMESPACE/${PROVIDER_NAME} in lower case, with letters, digits and "-"`,
    cure: `write for example "${EXAMPLE_ADDRESS}"`,
  };
}
