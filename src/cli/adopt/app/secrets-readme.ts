/**
 * Returns the sentences of an adopted README about the variables of secrets.
 *
 * @param howToWrite the instruction for writing a secret after its variable is set.
 */
export function secretsReadme(variables: readonly string[], howToWrite: string): string {
  if (variables.length === 0) return 'No secrets are required.';
  const names = variables.map((name) => `\`TF_VAR_${name}\``).join(', ');
  return (
    `No secret has to be known: the variables ${names} need no values as long as the secrets stay as they are on the ` +
    'servers. The import stands for version 1 of each, and a change of an object leaves its secrets out. To write ' +
    `a secret, set its variable, and ${howToWrite}.`
  );
}
