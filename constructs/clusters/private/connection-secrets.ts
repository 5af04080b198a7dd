import type { GivenSecret } from '../../private/secrets';
import type { VaultConnection } from '../connection';

/** Login parameters that say who logs in, and prove nothing. */
const PLAIN_PARAMETERS = ['role', 'role_id', 'role_name', 'name', 'username'];

/** What nobody may read of a cluster's settings. */
export function connectionSecrets({ token, authLogin }: VaultConnection): GivenSecret[] {
  const elsewhere = 'the environment of Terraform';
  const parameters = Object.entries(authLogin?.parameters ?? {})
    .filter(([name]) => !PLAIN_PARAMETERS.includes(name))
    .map(([name, value]) => ({
      name,
      value,
      title: `authLogin parameter ${JSON.stringify(name)}`,
      elsewhere,
    }));
  return [{ name: 'token', value: token, elsewhere }, ...parameters];
}
