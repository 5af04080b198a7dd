import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { SourceText } from '../source/source-text';
import { localPath } from './configuration/load-imports';
import { readPolicyConfiguration } from './configuration/read-policy-configuration';
import { readTestConfiguration, type TestConfiguration } from './configuration/test-configuration';
import { findPolicies } from './find-policies';
import type { ReadFile } from './read-file';

/**
 * Returns the absolute paths of the files that policies import: the sources of mocks and modules in
 * their tests, and in the `sentinel.hcl` beside them. A configuration that is not valid adds no
 * files.
 */
export function moduleFiles(policies: readonly string[], read: ReadFile): ReadonlySet<string> {
  const beside = policies.map((path) => join(dirname(path), 'sentinel.hcl')).filter(existsSync);
  const tests = findPolicies(policies).flatMap(({ cases }) => cases);
  const ofFolder = (path: string) => readPolicyConfiguration(path, read);
  const ofTest = (path: string) => readTestConfiguration(new SourceText(path, read(path)));
  return new Set([
    ...[...new Set(beside)].flatMap((path) => sourcesIn(() => ofFolder(path))),
    ...[...new Set(tests)].flatMap((path) => sourcesIn(() => ofTest(path))),
  ]);
}

function sourcesIn(configuration: () => TestConfiguration): readonly string[] {
  try {
    const { imports, source } = configuration();
    return [...imports.values()].flatMap((each) =>
      each.kind === 'module' ? [resolve(localPath(each.path, each.span, source))] : [],
    );
  } catch {
    // `policy test` reports the faults of configurations.
    return [];
  }
}
