import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { readPlainFile } from '../../../src/files';
import {
  providerInstallationOf,
  type InstallationMethod,
  type ProviderInstallation,
} from './provider-installation';
import { settingsFiles } from './settings-files';

/** A provider that is placed beside a stack. */
export interface PlacedProvider {
  /** The address of the provider: `host/namespace/type`. */
  readonly source: string;
  readonly version: string;
}

/** The reason why `terraform init` would not find a provider beside a stack, and the cure. */
export interface Hidden {
  readonly text: string;
  readonly cure: string;
}

/**
 * The folder of placed providers, relative to the stack. Terraform searches it, unless its settings
 * name other places.
 */
export const PLUGIN_FOLDER = join('terraform.d', 'plugins');

/**
 * Checks the user's own settings of Terraform: if they have a `provider_installation` block,
 * Terraform searches only the places in it.
 *
 * @param stack the folder in which Terraform runs
 * @returns undefined if Terraform finds the provider
 */
export function hiddenProvider(
  provider: PlacedProvider,
  stack: string,
  env: NodeJS.ProcessEnv,
): Hidden | undefined {
  for (const name of settingsFiles(env)) {
    const file = resolve(stack, name);
    const installation = readInstallation(file);
    if (installation && !finds(installation, provider, stack)) {
      return {
        text: `provider_installation in ${file} keeps "terraform init" from finding the provider in ${join(stack, PLUGIN_FOLDER)}`,
        cure: cureOf(installation, provider, stack),
      };
    }
  }
  return undefined;
}

/** Whether the user's settings of Terraform name a mirror or another place that has a provider. */
export function isInMirror(provider: PlacedProvider, stack: string, env: NodeJS.ProcessEnv): boolean {
  return settingsFiles(env).some((name) => {
    const installation = readInstallation(resolve(stack, name));
    return installation !== undefined && finds(installation, provider, stack);
  });
}

/** The maximum size of a settings file that is read, in bytes. */
const MAX_SETTINGS = 1024 * 1024;

/**
 * Returns `undefined` for a file that does not exist or cannot be read: Terraform itself reports
 * that.
 */
function readInstallation(file: string): ProviderInstallation | undefined {
  try {
    return providerInstallationOf(readPlainFile(file, MAX_SETTINGS).toString());
  } catch {
    return undefined;
  }
}

/**
 * Whether Terraform finds a provider with an installation. Terraform asks all methods, and fails if
 * one of them cannot be reached, even if others have the provider.
 */
function finds(
  { methods, overridden }: ProviderInstallation,
  provider: PlacedProvider,
  stack: string,
): boolean {
  if (overridden.some((address) => address.toLowerCase() === provider.source)) return true;
  const asked = methods.filter((method) => isFor(method, provider));
  return asked.some((method) => has(method, provider, stack)) && !asked.some(({ type }) => type === 'direct');
}

/**
 * Whether a method has a provider. The content of a mirror in the network is unknown, so a mirror
 * that is configured for the provider is assumed to have it.
 */
function has(
  { type, path, include }: InstallationMethod,
  { source, version }: PlacedProvider,
  stack: string,
): boolean {
  if (path === undefined) return type !== 'direct' && matches(include, source);
  const folder = join(resolve(stack, path), ...source.split('/'));
  return (
    existsSync(folder) &&
    readdirSync(folder).some((name) => name === version || name.includes(`_${version}_`))
  );
}

function isFor({ include, exclude }: InstallationMethod, { source }: PlacedProvider): boolean {
  return !matches(exclude, source) && (include.length === 0 || matches(include, source));
}

/**
 * Whether one of the patterns matches an address. A pattern without a host matches no address of
 * this provider, because it means the public registry.
 */
function matches(patterns: readonly string[], source: string): boolean {
  const parts = source.split('/');
  return patterns.some((pattern) => {
    const wanted = pattern.toLowerCase().split('/');
    return (
      wanted.length === parts.length && wanted.every((part, index) => part === '*' || part === parts[index])
    );
  });
}

/**
 * Returns the cure. Its path is relative to the folder in which Terraform runs, so that it is right
 * for every stack.
 */
function cureOf({ methods }: ProviderInstallation, provider: PlacedProvider, stack: string): string {
  const pattern = `"${provider.source.split('/')[0]}/*/*"`;
  const mirror = `filesystem_mirror { path = "${PLUGIN_FOLDER}" include = [${pattern}] }`;
  const asked = methods.filter((method) => isFor(method, provider));
  const having = asked.filter((method) => has(method, provider, stack));
  const inTheWay = asked.filter((method) => method.path === undefined && !having.includes(method));
  return [
    ...(having.length > 0 ? [] : [`add ${mirror} to it (the same for all stacks)`]),
    ...inTheWay.map(({ type }) => `add ${pattern} to the list "exclude" of its ${type}`),
  ].join(', and ');
}
