import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { SourceText } from '../../source/source-text';
import { readAnyFile, type ReadFile } from '../read-file';
import { parseHcl, type ConfigBody, type ConfigBlock } from './hcl';
import { parseJsonBody } from './json-body';
import { localPath } from './load-imports';
import {
  configurationIn,
  readTestConfiguration,
  type ConfiguredPolicy,
  type TestConfiguration,
} from './test-configuration';
import { SentinelSyntaxError } from '../../source/errors';

/** A configuration, and the text that it is read from. */
interface ReadBody {
  readonly body: ConfigBody;
  readonly source: SourceText;
}

const OVERRIDE = /^(?:.*_)?override\.(?:hcl|json)$/;

/** A policy of a folder, with the path of its file. */
interface FolderPolicy extends ConfiguredPolicy {
  readonly path: string;
}

/**
 * Returns the policies that a configuration names, in its order.
 *
 * @throws SentinelRuntimeError for a remote source that is not vendored.
 */
export function policiesOf({ policies, source }: TestConfiguration): readonly FolderPolicy[] {
  return policies.map((each) => ({ ...each, path: localPath(each.source, each.span, source) }));
}

/**
 * Reads the configuration of a folder of policies, `sentinel.hcl` or `sentinel.json`, with the
 * override files next to it: `override.hcl`, `override.json`, `*_override.hcl` and
 * `*_override.json`, in the order of their names. Configurations in the older JSON format have no
 * override files.
 *
 * @throws SentinelSyntaxError for a text that is not a configuration; an error of the file
 *   system.
 */
export function readPolicyConfiguration(path: string, read: ReadFile = readAnyFile): TestConfiguration {
  const sourceAt = (each: string) => new SourceText(each, read(each));
  const source = sourceAt(path);
  const configuration = readTestConfiguration(source);
  if (configuration.isLegacy) return configuration;
  const folder = dirname(path);
  const overrides = readdirSync(folder)
    .filter((name) => OVERRIDE.test(name) && name !== basename(path))
    .sort()
    .map((name) => sourceAt(join(folder, name)))
    .map((each) => ({ source: each, body: bodyOf(each) }));
  // Each override file is checked alone first, so that faults have a position in its own text.
  for (const { source: each, body } of overrides) configurationIn(each, body);
  return configurationIn(source, mergeOverrides(bodyOf(source), overrides));
}

function bodyOf(source: SourceText): ConfigBody {
  return source.name.endsWith('.json') ? parseJsonBody(source) : parseHcl(source);
}

/**
 * Merges override files into a configuration, in their order: attributes replace those of the block
 * with the same type and labels, and nested blocks replace all of the same type. Blocks `test` may
 * be new.
 *
 * @throws SentinelSyntaxError for any other block that the configuration does not have.
 */
function mergeOverrides(body: ConfigBody, overrides: readonly ReadBody[]): ConfigBody {
  return overrides.reduce((merged, { body: over, source }) => mergeFile(merged, over, source), body);
}

function mergeFile(body: ConfigBody, over: ConfigBody, source: SourceText): ConfigBody {
  const blocks = [...body.blocks];
  for (const block of over.blocks) {
    const at = blocks.findIndex((each) => titleOf(each) === titleOf(block));
    const found = blocks[at];
    if (found) blocks[at] = mergeBlock(found, block);
    else if (block.type === 'test') blocks.push(block);
    else {
      const problem = `there is no block ${titleOf(block)} to override`;
      throw new SentinelSyntaxError(source, block.span, problem, 'add it to the configuration');
    }
  }
  return { attributes: new Map([...body.attributes, ...over.attributes]), blocks };
}

function mergeBlock(block: ConfigBlock, over: ConfigBlock): ConfigBlock {
  const replaced = new Set(over.body.blocks.map(({ type }) => type));
  return {
    ...block,
    body: {
      attributes: new Map([...block.body.attributes, ...over.body.attributes]),
      blocks: [...block.body.blocks.filter(({ type }) => !replaced.has(type)), ...over.body.blocks],
    },
  };
}

/** Returns the title of a block: `policy "main"`. */
function titleOf({ type, labels }: ConfigBlock): string {
  return [type, ...labels.map((label) => JSON.stringify(label))].join(' ');
}
