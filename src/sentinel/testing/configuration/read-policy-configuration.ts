import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SourceText } from '../../source/source-text';
import type { Value } from '../../values/value';
import { parseHcl } from './hcl';
import { mergeOverrides } from './overrides';
import { configurationIn, readTestConfiguration, type TestConfiguration } from './test-configuration';

const OVERRIDE = /^(?:.*_)?override\.hcl$/;

/**
 * Reads the configuration of a folder of policies, `sentinel.hcl`, with the override files next to it: `override.hcl` and
 * `*_override.hcl`, by name.
 *
 * @param policy the path of the policy that is run: a block `policy` with this source may set its parameters.
 * @throws SentinelSyntaxError for a text that is not a configuration; an error of the file system.
 */
export function readPolicyConfiguration(path: string, policy: string): TestConfiguration {
  const configuration = path.endsWith('.json') ? readTestConfiguration(sourceAt(path)) : merged(path);
  const own = configuration.policies.find(({ source }) => resolve(dirname(path), source) === resolve(policy));
  if (!own) return configuration;
  return { ...configuration, params: new Map<string, Value>([...configuration.params, ...own.params]) };
}

function merged(path: string): TestConfiguration {
  const folder = dirname(path);
  const overrides = readdirSync(folder)
    .filter((name) => OVERRIDE.test(name) && name !== basename(path))
    .sort()
    .map((name) => sourceAt(join(folder, name)))
    .map((source) => ({ source, body: parseHcl(source) }));
  // By themselves first: their faults are in their texts.
  for (const { source, body } of overrides) configurationIn(source, body);
  const source = sourceAt(path);
  return configurationIn(source, mergeOverrides(parseHcl(source), overrides));
}

function sourceAt(path: string): SourceText {
  return new SourceText(path, readFileSync(path, 'utf8'));
}
