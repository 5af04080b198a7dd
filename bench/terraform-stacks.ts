import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROVIDER_ADDRESS, PROVIDER_NAME } from '../src/provider/about';

const execute = promisify(execFile);

/** The kind of the resource that a stack contains N times. */
export interface StackKind {
  readonly name: string;
  /** The `terraform { required_providers { ... } }` entry, if the kind needs one. */
  readonly requiredProvider?: string;
  /** Whether it uses the provider on Node.js instead of the executable. */
  readonly onNode?: boolean;
  resource(label: string, policy: string): string;
}

/** The floor for Terraform: a resource without a provider process. */
export const terraformData: StackKind = {
  name: 'terraform_data',
  resource: (label, policy) => `resource "terraform_data" "${label}" {\n  input = ${policy}\n}\n`,
};

/** A provider in Go that does nothing. */
export const nullResource: StackKind = {
  name: 'null_resource',
  requiredProvider: 'null = { source = "hashicorp/null" }',
  resource: (label, policy) =>
    `resource "null_resource" "${label}" {\n  triggers = { policy = ${policy} }\n}\n`,
};

export const vaultadmin: StackKind = {
  name: 'vaultadmin_acl_policy',
  requiredProvider: `${PROVIDER_NAME} = { source = "${PROVIDER_ADDRESS}" }`,
  resource: (label, policy) =>
    `resource "vaultadmin_acl_policy" "${label}" {\n  name   = "${label}"\n  policy = ${policy}\n}\n`,
};

/** The resource of `vaultadmin` with the provider on Node.js. */
export const vaultadminOnNode: StackKind = {
  ...vaultadmin,
  name: 'vaultadmin_acl_policy on Node.js',
  onNode: true,
};

export const upstream: StackKind = {
  name: 'vault_policy',
  requiredProvider: 'vault = { source = "hashicorp/vault" }',
  resource: (label, policy) =>
    `resource "vault_policy" "${label}" {\n  name   = "${label}"\n  policy = ${policy}\n}\n`,
};

/** A stack of `count` policies in a folder of its own, with its state in an `http` backend. */
export class Stack {
  constructor(
    private readonly terraform: string,
    private readonly folder: string,
    private readonly environment: NodeJS.ProcessEnv,
    kind: StackKind,
    count: number,
    backend: string,
  ) {
    mkdirSync(folder, { recursive: true });
    const providers = kind.requiredProvider
      ? `terraform {\n  required_providers {\n    ${kind.requiredProvider}\n  }\n}\n`
      : '';
    const resources = Array.from({ length: count }, (_, index) => {
      const policy = `"path \\"secret/data/app${index}/*\\" { capabilities = [\\"read\\", \\"list\\"] }"`;
      return kind.resource(`p${index}`, policy);
    });
    writeFileSync(join(folder, 'main.tf'), [backend, providers, ...resources].join('\n'));
  }

  init = (): Promise<void> => this.run('init', '-input=false');
  plan = (): Promise<void> => this.run('plan', '-input=false', '-lock=false');
  /** Plans, and fails if the plan has changes. */
  replan = (): Promise<void> => this.run('plan', '-input=false', '-lock=false', '-detailed-exitcode');
  apply = (): Promise<void> => this.run('apply', '-input=false', '-auto-approve', '-lock=false');

  private async run(...args: string[]): Promise<void> {
    await execute(this.terraform, args, {
      cwd: this.folder,
      env: this.environment,
      maxBuffer: 256 * 1024 * 1024,
    });
  }
}
