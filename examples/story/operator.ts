import type { RunningCluster } from '../../src/emulator';
import { ask } from './server';
import { StoryError } from './steps';

/** The password of the operators that stories set up, on emulated clusters alone. */
export const OPERATOR_PASSWORD = 'only for this story';

const EVERYTHING = 'path "*" { capabilities = ["create", "read", "update", "delete", "list", "sudo"] }';

/** Sets up the user `operator`, who may do everything. */
export async function setUpOperator(cluster: RunningCluster): Promise<void> {
  await ask(cluster, 'sys/policies/acl/operator', { method: 'PUT', body: { policy: EVERYTHING } });
  await ask(cluster, 'sys/auth/userpass', { method: 'PUT', body: { type: 'userpass' } });
  await ask(cluster, 'auth/userpass/users/operator', {
    method: 'PUT',
    body: { password: OPERATOR_PASSWORD, token_policies: ['operator'] },
  });
}

/** @returns the operator's token. */
export async function logIn(cluster: RunningCluster): Promise<string> {
  const answer = await ask(cluster, 'auth/userpass/login/operator', {
    method: 'PUT',
    body: { password: OPERATOR_PASSWORD },
    token: '',
  });
  if (!answer?.auth) throw new StoryError(`the operator was not let in on ${cluster.name}`);
  return answer.auth.client_token;
}
