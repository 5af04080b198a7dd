import type { Field } from '../../../model';
import { integer, string, type Attributes } from '../../../plugin';

/** Returns the name of the write-only attribute of a secret. */
export function writeOnlyName(field: string): string {
  return `${field}_wo`;
}

/**
 * Returns the name of the attribute with the version of a secret: if it changes, the secret is
 * written again.
 */
export function versionName(field: string): string {
  return `${field}_wo_version`;
}

/**
 * Returns the advice to prefer the write-only attribute, for the description of a stored secret.
 */
export function secretChoice(field: string): string {
  return `${field} is stored in the state; ${writeOnlyName(field)}, with ${versionName(field)}, is not.`;
}

/** Returns the attributes of a resource for a secret field. */
export function secretAttributes(name: string, { doc }: Field): Attributes {
  const writeOnly = writeOnlyName(name);
  const version = versionName(name);
  return {
    [name]: string({
      optional: true,
      sensitive: true,
      description: `${doc} It is stored in the state: with Terraform 1.11 or later, use \`${writeOnly}\` instead.`,
    }),
    [writeOnly]: string({
      optional: true,
      sensitive: true,
      writeOnly: true,
      description: `${doc} It is not stored. Requires \`${version}\` and Terraform 1.11 or later.`,
    }),
    [version]: integer({
      optional: true,
      description:
        `Version of \`${writeOnly}\`: change it to write the secret again. After an import, \`1\` stands for the ` +
        'secret that the server holds.',
    }),
  };
}
