import { parseDuration, parseImportId } from '../../src/model';
import { headersProblem, parseRate } from '../../src/model/clusters/setting-problems';
import { compileWildcardPath } from '../../src/model/acl/wildcard-path';
import { templateParts, withValues } from '../../src/model/acl/template';
import { parseHcl } from '../../src/model/hcl';
import { egpGoverns } from '../../src/enforcement';
import { namespacePathProblem, normalizeNamespace } from '../../src/model/identity';
import { sameFilterPaths } from '../../src/model/replication/filter-path';
import { type Bound, fields, lists, row, times } from './rows';

const NO_PERMISSIONS = {
  capabilities: new Set<never>(),
  allowedParameters: new Map<string, never>(),
  deniedParameters: new Map<string, never>(),
  requiredParameters: [],
  minWrappingTtl: 0,
  maxWrappingTtl: 0,
};

export const MODEL_BOUNDS: readonly Bound[] = [
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
