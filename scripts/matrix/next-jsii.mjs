/**
 * Compiles this project's constructs with the versions of jsii and of the package `constructs` that
 * CDK Terrain is about to use.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compileAssembly } from '../flavours/assembly.mjs';
import { readJson, WORK, writeJson } from '../flavours/files.mjs';
import { FLAVOURS } from '../flavours/flavours.mjs';
import { output } from './commands.mjs';
import { NotAvailable } from './tools.mjs';

/**
 * Compiles the constructs.
 *
 * @returns a line with the versions of both.
 * @throws NotAvailable if the registry lacks one of the packages.
 * @throws Error for code that jsii does not accept.
 */
export async function compileWithNextJsii() {
  const place = join(WORK, 'next-jsii');
  const modules = join(place, 'node_modules');
  mkdirSync(place, { recursive: true });
  // The framework has to use the same installation of `constructs` as the sources.
  const { cdktf, '@cdktf/provider-vault': bindings } = FLAVOURS.cdktf.versions;
  const dependencies = { jsii: '^6.0.0', constructs: '^10.8.0', cdktf, '@cdktf/provider-vault': bindings };
  writeJson(join(place, 'package.json'), { private: true, dependencies });
  try {
    output('npm', ['install', '--no-audit', '--no-fund'], { cwd: place, env: process.env });
  } catch (error) {
    throw new NotAvailable(`jsii 6 is not to be had: ${error.message.split('\n')[0]}`);
  }
  const tools = { folder: join(place, 'languages'), jsii: join(modules, 'jsii', 'bin', 'jsii') };
  await compileAssembly(FLAVOURS.cdktf, tools);
  const [jsii, constructs] = ['jsii', 'constructs'].map(
    (name) => readJson(modules, name, 'package.json').version,
  );
  return `jsii ${jsii} compiles the constructs, with constructs ${constructs}`;
}
