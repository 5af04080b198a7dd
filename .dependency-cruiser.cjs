/**
 * The table of the parts as rules: each part with the parts that it may import. A part that is not
 * in `may` cannot be imported.
 */
const may = {
  'src/text': [],
  'src/files': [],
  'src/certificates': [],
  'src/model': ['src/text', 'src/sentinel'],
  'src/client': ['src/files', 'src/model', 'src/text'],
  'src/plugin': ['src/certificates', 'src/text'],
  'src/sentinel': ['src/files'],
  'src/enforcement': ['src/model', 'src/sentinel', 'src/text'],
  'src/view': ['src/model', 'src/text'],
  'src/inventory': ['src/client', 'src/model'],
  'src/provider': ['src/plugin', 'src/inventory', 'src/client', 'src/enforcement', 'src/model', 'src/text'],
  'src/emulator': ['src/enforcement', 'src/view', 'src/model', 'src/certificates', 'src/files', 'src/text'],
  'src/language-server': ['src/policy', 'src/model', 'src/sentinel', 'src/text'],
  'src/policy': ['src/model', 'src/sentinel', 'src/enforcement', 'src/files', 'src/text', 'constructs'],
  'src/cli': [
    'src/language-server',
    'src/policy',
    'src/model',
    'src/client',
    'src/inventory',
    'src/plugin',
    'src/sentinel',
    'src/enforcement',
    'src/provider',
    'src/emulator',
    'src/view',
    'src/files',
    'src/text',
    'constructs',
  ],
  constructs: ['src/enforcement', 'src/files', 'src/model', 'src/text'],
};
const parts = Object.keys(may);

module.exports = {
  forbidden: [
    ...parts.map((part) => ({
      name: `${part.replace('src/', '')}-imports`,
      severity: 'error',
      from: { path: `^${part}/` },
      to: {
        path:
          parts
            .filter((other) => other !== part && !may[part].includes(other))
            .map((p) => `^${p}/`)
            .join('|') || '^$',
      },
    })),
    { name: 'no-cycles', severity: 'error', from: { pathNot: 'generated/' }, to: { circular: true } },
    { name: 'no-cycles-of-folders', scope: 'folder', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-unresolved',
      severity: 'error',
      // Files of pages are loaded under the addresses that they are served at.
      from: { pathNot: '^src/view/page/static/' },
      // The types for Vitest refer to the user's.
      to: { couldNotResolve: true, pathNot: '^vitest$' },
    },
    {
      name: 'no-dev-dependencies-at-run-time',
      severity: 'error',
      from: { path: '^(src|constructs)/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm-peer', 'type-only'] },
    },
    {
      name: 'model-and-text-do-no-io',
      severity: 'error',
      from: { path: '^src/(model|text)/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'constructs-do-no-network-io',
      severity: 'error',
      from: { path: '^constructs/' },
      to: { path: '^(node:)?(net|http|https|http2|tls|dgram|dns)$' },
    },
    {
      name: 'vault-bindings-by-deep-import',
      comment: "the bindings' index loads two hundred files",
      severity: 'error',
      from: { path: '^constructs/' },
      to: { path: '@cdktf/provider-vault/lib/index' },
    },
  ],
  options: {
    // Without tsconfig.json, which would make the folder constructs/ of the package `constructs`.
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default', 'types'],
    },
  },
};
