import { VaultError, type VaultClient } from '../../client';
import type { LoginSettings } from '../configuration';
import { trimmed } from '../../text';

/**
 * Returns the parameters of a login, with the `secret_id` unwrapped if it is a wrapping token. A
 * wrapping token that was not created at the expected path is refused, because an attacker may have
 * put it in place of the real one.
 *
 * @param client without a token.
 * @throws VaultError
 */
export async function parametersOf(
  { parameters, namespace, secretIdWrappingPath: expected }: LoginSettings,
  client: VaultClient,
  mask: (secret: string) => void,
): Promise<LoginSettings['parameters']> {
  const { secret_id: token } = parameters;
  if (expected === undefined || token === undefined) return parameters;

  const { wrapping } = namespace === undefined ? client : client.withNamespace(namespace);
  const { data } = await wrapping.lookup(token);
  if (plain(data.creation_path) !== plain(expected)) {
    throw refused(
      `the wrapping token of the secret_id was created at ${JSON.stringify(data.creation_path)}, not at ${JSON.stringify(expected)}`,
      'It was not used. Find out who created it',
    );
  }
  const { secret_id } = (await wrapping.unwrap(token)).data;
  if (typeof secret_id !== 'string') {
    throw refused('the wrapped response contains no secret_id', `Wrap the response of ${expected}`);
  }
  mask(secret_id);
  return { ...parameters, secret_id };
}

function plain(path: string): string {
  return trimmed(path, '/');
}

function refused(problem: string, cure: string): VaultError {
  return new VaultError({ code: 'login_refused', message: `Cannot log in: ${problem}. ${cure}` });
}
