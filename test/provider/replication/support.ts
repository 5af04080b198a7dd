/** Clusters that replicate, with an operator who can log in to each, before it joins and afterwards. */
import type { Emulator } from '../../../src/emulator';
import { providerBlock, startStack, type Stack, type StackOptions } from '../support';

export const CALLS = 'sys/replication/performance';
const PASSWORD = 'canary-operator-password';
const RULES = 'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n';

/**
 * Starts `us` and `eu`. The provider logs in to both as the operator, unless told otherwise: tokens of a cluster die when
 * it joins.
 */
export async function startClusters(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack({
    clusters: { us: 0, eu: 0 },
    unavailableMs: 50,
    provider: operatorOnAll,
    ...options,
  });
  for (const cluster of Object.keys(stack.emulator.clusters)) await addOperator(stack, cluster);
  return stack;
}

/** The block of the provider, which logs in to all clusters as the operator. */
function operatorOnAll(emulator: Emulator): string {
  return operatorOn(emulator, Object.keys(emulator.clusters));
}

/** The block of the provider, which logs in to some of the clusters as the operator. */
export function operatorOn({ clusters }: Emulator, names: readonly string[]): string {
  return providerBlock(
    Object.values(clusters)
      .filter(({ name }) => names.includes(name))
      .map(
        ({ name, address, caCertFile }) => `    ${name} = {
      address      = "${address}"
      auth_login   = { path = "auth/people/login/operator", parameters = { password = "${PASSWORD}" } }
      ${caCertFile ? `ca_cert_file = "${caCertFile}"` : ''}
    }`,
      )
      .join('\n'),
  );
}

/** A user that may do everything, and is replicated. */
async function addOperator(stack: Stack, cluster: string): Promise<void> {
  const steps: readonly [string, object][] = [
    ['sys/policies/acl/operator', { policy: RULES }],
    ['sys/auth/people', { type: 'userpass' }],
    ['auth/people/users/operator', { password: PASSWORD, token_policies: ['operator'] }],
  ];
  for (const [path, body] of steps) {
    expect((await stack.ask('POST', path, body, { cluster })).status).toBe(204);
  }
}

/** A replication status, as everybody sees it. */
export async function statusOf(stack: Stack, cluster: string): Promise<Record<string, unknown>> {
  const { data } = await stack.ask('GET', `${CALLS}/status`, undefined, { cluster });
  return data!;
}

/** Makes `us` a primary behind Terraform's back. */
export async function enablePrimary(stack: Stack, cluster = 'us'): Promise<void> {
  await change(stack, cluster, 'primary/enable', {}, 'primary');
}

/** An activation token, issued behind Terraform's back. */
export async function issueToken(stack: Stack, id: string, body: object = {}): Promise<string> {
  const answer = await stack.ask('POST', `${CALLS}/primary/secondary-token`, { id, ...body });
  const { wrap_info } = answer as unknown as { wrap_info: { token: string } };
  return wrap_info.token;
}

/** Makes a call that changes the mode, behind Terraform's back, and waits for it. */
export async function change(
  stack: Stack,
  cluster: string,
  call: string,
  body: object,
  mode: string,
): Promise<void> {
  const token = await operatorToken(stack, cluster);
  const { address } = stack.emulator.clusters[cluster]!;
  const response = await fetch(`${address}/v1/${CALLS}/${call}`, {
    method: 'POST',
    headers: { 'X-Vault-Token': token },
    body: JSON.stringify(body),
  });
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
  await eventually(async () => {
    const status = await statusOf(stack, cluster).catch(() => undefined);
    return status?.mode === mode;
  });
}

/** A token of the operator: it works on a secondary, where the root token died. */
export async function operatorToken(stack: Stack, cluster: string): Promise<string> {
  const { address } = stack.emulator.clusters[cluster]!;
  const response = await fetch(`${address}/v1/auth/people/login/operator`, {
    method: 'POST',
    body: JSON.stringify({ password: PASSWORD }),
  });
  const { auth } = (await response.json()) as { auth: { client_token: string } };
  return auth.client_token;
}

/** Waits for something that is about to happen. */
export async function eventually(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 10_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error('it did not happen within 10 s');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
