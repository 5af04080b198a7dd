import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readPlainFile } from '../../files';
import { isProviderAddress } from '../../model/provider-source';
import { literalForTerraform, parseForeignJson, visible } from '../../text';
import { UserError } from '../errors';

/** A synthesized stack. */
export interface Stack {
  readonly name: string;
  readonly folder: string;
  readonly json: StackJson;
}

/** The parts of `cdk.tf.json` that the commands use. */
export interface StackJson {
  readonly terraform?: { readonly required_providers?: Readonly<Record<string, { source?: string }>> };
  readonly provider?: Readonly<Record<string, readonly ProviderBlock[]>>;
  readonly variable?: Readonly<Record<string, { readonly default?: unknown }>>;
  readonly resource?: BlocksByType;
  readonly data?: BlocksByType;
  readonly ephemeral?: BlocksByType;
}

/** The settings of a provider, and the name by which resources choose it if there are several. */
export interface ProviderBlock {
  readonly alias?: string;
  readonly [setting: string]: unknown;
}

/** Blocks by type and name. */
export type BlocksByType = Readonly<
  Record<string, Readonly<Record<string, Readonly<Record<string, unknown>>>>>
>;

/**
 * Returns the stacks of a synthesized app.
 *
 * @param output the app's output folder: `cdktf.out`.
 * @throws UserError if a stack's file cannot be read.
 */
export function stacksIn(output: string): readonly Stack[] {
  const stacks = join(output, 'stacks');
  if (!existsSync(stacks)) return [];
  return readdirSync(stacks)
    .filter((name) => existsSync(join(stacks, name, 'cdk.tf.json')))
    .map((name) => {
      const folder = join(stacks, name);
      return { name, folder, json: readStack(join(folder, 'cdk.tf.json')) };
    });
}

/**
 * Returns the address of the provider of this package in a stack. `undefined` if no resource of the
 * stack uses it.
 */
export function providerAddressIn({ json }: Stack): string | undefined {
  const required = Object.values(json.terraform?.required_providers ?? {});
  return required.map(({ source }) => source).find(isProviderAddress);
}

/** Matches the expression for a policy in a file beside its stack. */
const FILE_OF_POLICY = /^\$\{file\("\$\{path\.module\}\/([\w./-]+)"\)\}$/;

/** The maximum size in bytes. A stack of 10,000 policies has 60 MiB. */
const LONGEST_STACK = 256 * 1024 * 1024;

function read(file: string): string {
  return readPlainFile(file, LONGEST_STACK).toString();
}

function readStack(file: string): StackJson {
  const withText = (name: string, value: unknown): unknown => {
    const path = name === 'policy' && typeof value === 'string' ? FILE_OF_POLICY.exec(value)?.[1] : undefined;
    if (path === undefined || path.split('/').includes('..')) return value;
    return literalForTerraform(read(join(dirname(file), path)));
  };
  try {
    return parseForeignJson(read(file), withText) as StackJson;
  } catch (error) {
    throw new UserError(
      visible(`${file} cannot be read: ${(error as Error).message}; synthesize the app again`),
    );
  }
}
