import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { lockProvider } from '../../constructs/placement/lock-file';
import { providerInstallationOf } from '../../constructs/placement/settings/provider-installation';
import { tokenFromFile } from '../../src/client/options/token-file';
import { announcementIn } from '../../src/provider/replication/set/decide/switchover-policy';
import { secretParts } from '../../src/text/redaction/secret-parts';
import { parseDuration, parseImportId } from '../../src/model';
import { headersProblem, parseRate } from '../../src/model/clusters/setting-problems';
import { compileWildcardPath } from '../../src/model/acl/wildcard-path';
import { templateParts, withValues } from '../../src/model/acl/template';
import { parseHcl } from '../../src/model/hcl';
import { egpGoverns } from '../../src/enforcement';
import { namespacePathProblem, normalizeNamespace } from '../../src/model/identity';
import { sameFilterPaths } from '../../src/model/replication/filter-path';
import { temporaryFolder } from '../support/temporary-folder';
import { type Bound, fields, lists, row, times } from './rows';

const folder = temporaryFolder('bounds');

const NO_PERMISSIONS = {
  capabilities: new Set<never>(),
  allowedParameters: new Map<string, never>(),
  deniedParameters: new Map<string, never>(),
  requiredParameters: [],
  minWrappingTtl: 0,
  maxWrappingTtl: 0,
};

const LOCKED = { source: 'a.example/b/c', version: '1.0.0', hashes: ['h1:a'] };
const locks = (file: string) => lockProvider(file, LOCKED, [{ source: 'hashicorp/vault', version: '5.1.0' }]);
const lockEntry = (index: number | string) =>
  `provider "registry.terraform.io/a/b${index}" {\n  version = "1.0.0"\n  hashes = [\n    "h1:a",\n  ]\n}\n`;
const settings = (size: number) =>
  `provider_installation {\n${times(size, (index) => `  filesystem_mirror {\n    path = "/a${index}"\n    include = ["a/b"]\n  }\n`)}}\n`;

/** Returns the environment in which Vault's command line reads its settings from a new file. */
function helperSettings(size: number) {
  const file = join(mkdtempSync(join(folder, 'helper-')), '.vault');
  writeFileSync(file, `${'\n'.repeat(size)}x = 1\n`);
  return { HOME: folder, VAULT_CONFIG_PATH: file };
}

export const MODEL_BOUNDS: readonly Bound[] = [
  row('file', 'lockProvider', (size) => times(size, lockEntry), locks),
  row('file', 'providerInstallationOf', settings, providerInstallationOf, {
    nested: (levels) => providerInstallationOf(`a = ${lists(levels)}`),
    deepest: 501,
  }),
  row('file', 'tokenFromFile', helperSettings, tokenFromFile),
  row(
    'server',
    'announcementIn',
    (size) => `${times(size, (index) => `# a${index}\n`)}# announced`,
    announcementIn,
  ),
  row(
    'environment',
    'secretParts',
    (size) => JSON.stringify(fields(size, (index) => `secret-${index}`)),
    secretParts,
    {
      nested: (levels) => secretParts(lists(levels, '"abcdef"')),
      deepest: Infinity,
      sizes: [128, 1_024],
    },
  ),
  row('argument', 'parseDuration', (size) => '1h2m'.repeat(size), parseDuration),
  row('argument', 'parseDuration, of digits', (size) => `${'1'.repeat(size)}x`, parseDuration),
  row(
    'argument',
    'parseImportId',
    (size) => 'us/a/b'.repeat(size),
    (id) => parseImportId(id, ['us', 'eu']),
  ),
  row('environment', 'parseRate', (size) => `${'1'.repeat(size)}:${'1'.repeat(size)}x`, parseRate),
  row('environment', 'headersProblem', (size) => JSON.stringify(fields(size, String)), headersProblem, {
    nested: (levels) => headersProblem(`{"a":${lists(levels)}}`),
    deepest: Infinity,
  }),
  row(
    'policy',
    'compileWildcardPath',
    (size) => '+/a/'.repeat(size),
    (path) => compileWildcardPath(path, NO_PERMISSIONS),
  ),
  row('policy', 'templateParts', (size) => '{{identity.entity.id}}/{{'.repeat(size), templateParts),
  row(
    'policy',
    'withValues',
    (size) => '{{identity.entity.id}}/{{'.repeat(size),
    (path) => withValues(path, String),
  ),
  row(
    'policy',
    'parseHcl',
    (size) => times(size, (index) => `a "b${index}" {\n c = [1, "d"]\n}\n`),
    parseHcl,
    {
      nested: (levels) => parseHcl(`a = ${'['.repeat(levels)}${']'.repeat(levels)}`),
      deepest: 501,
    },
  ),
  row('policy', 'parseHcl, of lists in JSON', (size) => `{"a":[${'[1],'.repeat(size)}1]}`, parseHcl, {
    nested: (levels) => parseHcl(`{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`),
    deepest: Infinity,
  }),
  row(
    'policy',
    'parseHcl, of JSON',
    (size) => JSON.stringify(fields(size, (index) => ({ a: [index] }))),
    parseHcl,
    { nested: (levels) => parseHcl(`${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`), deepest: 500 },
  ),
  row(
    'request',
    'egpGoverns',
    (size) => 'a/'.repeat(size),
    (path) =>
      egpGoverns({ namespace: '', paths: ['a/*', 'b'] }, { namespace: { id: 'root', path: '' }, path }),
  ),
  row(
    'argument',
    'normalizeNamespace',
    (size) => `${'/'.repeat(size)}a${'/'.repeat(size)}`,
    normalizeNamespace,
  ),
  row('argument', 'namespacePathProblem', (size) => 'a/'.repeat(size), namespacePathProblem),
  row(
    'server',
    'sameFilterPaths',
    (size) => Array.from({ length: size }, (_, index) => `/kv${(index * 7) % size}/`),
    (paths) => sameFilterPaths(paths, [...paths].reverse()),
  ),
];
