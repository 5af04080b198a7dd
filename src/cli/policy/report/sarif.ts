import { isAbsolute, normalize, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { PROVIDER_VERSION } from '../../../provider/about';
import type { CommandFinding, FindingsReport } from './finding';

const SCHEMA = 'https://json.schemastore.org/sarif-2.1.0.json';

/** Returns a log in the Static Analysis Results Interchange Format, version 2.1.0. */
export function sarifLog({ findings }: FindingsReport): object {
  const rules = [...new Set(findings.map(({ rule }) => rule))].sort();
  return {
    $schema: SCHEMA,
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'vault-admin', version: PROVIDER_VERSION, rules: rules.map((id) => ({ id })) },
        },
        columnKind: 'unicodeCodePoints',
        results: findings.map((finding) => ({
          ruleId: finding.rule,
          ruleIndex: rules.indexOf(finding.rule),
          level: finding.severity,
          message: { text: finding.message },
          locations: [locationOf(finding)],
        })),
      },
    ],
  };
}

/**
 * Returns the location of a finding. Code hosts refuse results without a file, so other places are
 * given as files.
 */
function locationOf({ policy, place, file, line, column = 1 }: CommandFinding): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: file === undefined ? encodeURIComponent(place) : uriOf(file) },
      ...(line !== undefined && { region: { startLine: line, startColumn: column } }),
    },
    logicalLocations: [{ name: policy, fullyQualifiedName: `${place}: ${policy}` }],
  };
}

/**
 * Returns a file as a URI, relative to the working folder, which should be that of the repository.
 */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  return normalize(file).split(sep).map(encodeURIComponent).join('/');
}
