/** Clusters that replicate, with an operator who can log in to each before and after it joins. */
import { VaultClient, type ReplicationStatus } from '../../../src/client';
import type { Emulator } from '../../../src/emulator';
import type { ReplicationMode } from '../../../src/model';
import { providerBlock, startStack, type Stack, type StackOptions } from '../support';

export const CALLS = 'sys/replication/performance';
const PASSWORD = 'canary-operator-password';
const RULES = 'path "*" {\n  capabilities = ["create", "read", "update", "delete", "list", "sudo"]\n}\n';

/**
 * Starts `us` and `eu`. By default, the provider logs in to both as the operator, because joining
 * ends all tokens of a cluster. Without `executable`, no wait takes real time.
 */
export async function startClusters(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack({
    clusters: { us: 0, eu: 0 },
    unavailableMs: 50,
    provider: operatorOnAll,
    leaping: !options.executable && !options.tls,
    ...options,
  });
  try {
    for (const cluster of Object.keys(stack.emulator.clusters)) await addOperator(stack, cluster);
    return stack;
  } catch (error) {
    await stack.close();
    throw error;
  }
}

/** Returns the block of a provider that logs in to all clusters as the operator. */
function operatorOnAll(emulator: Emulator): string {
  return operatorOn(emulator, Object.keys(emulator.clusters));
}

/** Returns the block of a provider that logs in to the named clusters as the operator. */
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

/** Creates a replicated user who may do everything. */
async function addOperator(stack: Stack, cluster: string): Promise<void> {
  await asRoot(stack, cluster, async (client) => {
    await client.policies.acl.write('operator', { policy: RULES });
    await client.write('sys/auth/people', { type: 'userpass' });
    await client.write('auth/people/users/operator', { password: PASSWORD, token_policies: ['operator'] });
  });
}

/**
 * Calls a cluster outside of Terraform with its initial token, which ends when the cluster joins.
 */
export function asRoot<T>(
  stack: Stack,
  cluster: string,
  use: (client: VaultClient) => Promise<T>,
): Promise<T> {
  return using(stack, cluster, (client) =>
    use(client.withToken(stack.emulator.clusters[cluster]!.rootToken)),
  );
}

/** Calls a cluster outside of Terraform, as the operator. */
export function asOperator<T>(
  stack: Stack,
  cluster: string,
  use: (client: VaultClient) => Promise<T>,
): Promise<T> {
  return using(stack, cluster, async (client) => {
    const { token } = await client.auth.userpass({
      mount: 'people',
      username: 'operator',
      password: PASSWORD,
    });
    return use(client.withToken(token));
  });
}

/** Changes the mode of a cluster outside of Terraform, and waits for the new mode. */
export async function change(
  stack: Stack,
  cluster: string,
  mode: ReplicationMode,
  call: (calls: VaultClient['replication']['performance']) => Promise<unknown>,
): Promise<void> {
  await asOperator(stack, cluster, async ({ replication: { performance } }) => {
    await call(performance);
    await performance.waitForMode(mode, { timeout: 10 });
  });
}

/** Makes a cluster a primary, outside of Terraform. */
export function enablePrimary(stack: Stack, cluster = 'us'): Promise<void> {
  return change(stack, cluster, 'primary', (calls) => calls.enablePrimary());
}

/** Makes a cluster a secondary of `us`, outside of Terraform. */
export async function enableSecondary(stack: Stack, cluster: string, id = cluster): Promise<void> {
  const token = await issueToken(stack, id);
  await change(stack, cluster, 'secondary', (calls) => calls.enableSecondary({ token }));
}

/** Returns an activation token of `us`, issued outside of Terraform. */
export function issueToken(stack: Stack, id: string, fields: { ttl?: string } = {}): Promise<string> {
  return asRoot(stack, 'us', async ({ replication: { performance } }) => {
    const { data } = await performance.secondaryToken({ id, ...fields });
    return data.token;
  });
}

/**
 * Sets the variable `token` in a file, because the arguments of a process are visible to all users.
 */
export function giveToken({ workspace }: Stack, token: string): void {
  workspace.write('token.auto.tfvars.json', { token });
}

/** Revokes a secondary of `us`, outside of Terraform. */
export async function revoke(stack: Stack, id: string): Promise<void> {
  await asRoot(stack, 'us', ({ replication }) => replication.performance.revokeSecondary(id));
}

/** Returns the replication status without a token. */
export function statusOf(stack: Stack, cluster: string): Promise<ReplicationStatus> {
  return using(stack, cluster, async ({ replication }) => (await replication.performance.status()).data);
}

async function using<T>(stack: Stack, cluster: string, use: (client: VaultClient) => Promise<T>): Promise<T> {
  const { address, caCertFile } = stack.emulator.clusters[cluster]!;
  const client = new VaultClient({ address, ...(caCertFile && { tls: { caCertFile } }) });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/**
 * Returns the requests without the revocation of the login's token. Only a provider that Terraform
 * starts revokes it before it ends.
 */
export function withoutLogout(requests: readonly string[]): readonly string[] {
  return requests.filter((request) => request !== 'POST auth/token/revoke-self');
}
