/** The default values of a combination. */
const USUAL = {
  /** The major version of Node.js. */
  node: '20',
  /** One of `MANAGERS`. */
  manager: 'npm',
  /** One of `PROJECTS`. */
  project: 'CommonJS',
  typescript: '5.9',
  /** The library that the app is built with: its minor version, or a pre-release. */
  framework: 'cdktf@0.21',
  constructs: '10.7',
  /**
   * The package under test: a key of `FLAVOURS`. The package for cdktf also runs on cdktn, if an
   * override replaces cdktf.
   */
  flavour: 'cdktf',
  /** The command line that runs the app and Terraform. Without it, the test runs both directly. */
  cli: undefined,
  /** The name of an engine in the PATH, or the path of its executable. */
  engine: 'terraform',
};

/** The combinations that users are likely to have. The `short` ones run for each change. */
export const combinations = [
  { short: true },
  { node: '22' },
  { node: '24' },
  { node: '26' },
  { engine: 'tofu' },

  { node: '22', constructs: '10.8', typescript: '6.0' },

  { cli: 'cdktf-cli@0.21' },
  { cli: 'cdktf-cli@0.21', project: 'as cdktf init makes it', short: true },
  { cli: 'cdktf-cli@0.21', engine: 'tofu' },

  { node: '22', framework: 'cdktn@0.24' },
  { node: '22', framework: 'cdktn@0.24', cli: 'cdktn-cli@0.24', short: true },
  { node: '22', framework: 'cdktn@0.24', cli: 'cdktn-cli@0.24', engine: 'tofu' },
  { node: '22', framework: 'cdktn@0.24', manager: 'pnpm@10' },
  { node: '22', framework: 'cdktn@0.24', manager: 'yarn@4 with PnP' },
  { node: '22', framework: 'cdktn@0.24', manager: 'bun@1' },

  { node: '22', framework: 'cdktn@0.24', flavour: 'cdktn', short: true },
  { node: '22', framework: 'cdktn@0.24', flavour: 'cdktn', cli: 'cdktn-cli@0.24' },
  { node: '22', framework: 'cdktn@0.24', flavour: 'cdktn', cli: 'cdktn-cli@0.24', engine: 'tofu' },
  { node: '22', framework: 'cdktn@0.24', flavour: 'cdktn', manager: 'pnpm@10' },
  { node: '22', framework: 'cdktn@0.24', flavour: 'cdktn', manager: 'yarn@4 with PnP' },
  { node: '22', framework: 'cdktn@0.24', flavour: 'cdktn', manager: 'bun@1' },
  { node: '22', framework: 'cdktn@0.25.0-pre.65', flavour: 'cdktn', constructs: '10.8', typescript: '6.0' },

  { manager: 'pnpm@10' },
  { manager: 'pnpm@10', project: 'ES modules', node: '24', short: true },
  { manager: 'yarn@1' },
  { manager: 'yarn@4' },
  { manager: 'yarn@4 with PnP', typescript: '6.0', short: true },
  { manager: 'bun@1' },

  { project: 'ES modules' },
  { project: 'as cdktf init makes it' },
  { typescript: '5.0', project: 'as cdktf init makes it' },
  { typescript: '5.0' },
  { typescript: '5.4' },
  { typescript: '6.0' },
  { typescript: '7.0', short: true },
].map((combination) => ({ ...USUAL, ...combination }));

/** Returns the combination in which every engine of `MATRIX_ENGINES` runs. */
export function withEngine(engine) {
  return { ...USUAL, engine };
}

export function titleOf({ node, manager, project, typescript, framework, constructs, flavour, cli, engine }) {
  const parts = [
    `Node ${node}`,
    manager,
    `TypeScript ${typescript}`,
    project,
    framework,
    `constructs ${constructs}`,
    `${flavour}-vault-admin`,
    cli ?? 'by hand',
    engine,
  ];
  return parts.join(', ');
}

/**
 * Newer versions of the package manager store packages in another archive format. This version
 * works.
 */
const YARN_4 = '@yarnpkg/cli-dist@4.18.1';

/**
 * The package managers by name, each with the package that contains it, unless it comes with Node;
 * with its commands; with the files that it needs; and with the part of the manifest that replaces
 * packages by name, even as dependencies of other packages.
 */
export const MANAGERS = {
  npm: {
    install: ['npm', 'install', '--no-audit', '--no-fund', '--prefer-offline'],
    replace: (packages) => ({ overrides: packages }),
  },
  'pnpm@10': {
    package: 'pnpm@10',
    install: ['pnpm', 'install', '--no-frozen-lockfile'],
    replace: (packages) => ({ pnpm: { overrides: packages } }),
  },
  'yarn@1': {
    package: 'yarn@1',
    install: ['yarn', 'install', '--non-interactive'],
    replace: (packages) => ({ resolutions: packages }),
  },
  'yarn@4': {
    package: YARN_4,
    files: { '.yarnrc.yml': 'nodeLinker: node-modules\nenableImmutableInstalls: false\n', 'yarn.lock': '' },
    install: ['yarn', 'install'],
    replace: (packages) => ({ resolutions: packages }),
  },
  'yarn@4 with PnP': {
    package: YARN_4,
    files: { '.yarnrc.yml': 'nodeLinker: pnp\nenableImmutableInstalls: false\n', 'yarn.lock': '' },
    install: ['yarn', 'install'],
    /** The command that runs installed programs, because there is no node_modules. */
    runner: ['yarn', 'exec'],
    replace: (packages) => ({ resolutions: packages }),
  },
  'bun@1': {
    package: 'bun@1',
    install: ['bun', 'install'],
    replace: (packages) => ({ overrides: packages }),
  },
};

const compiled = { strict: true, target: 'es2022', types: ['node'] };

/**
 * The kinds of projects: the compiler's options, the command that runs the app, and the part of the
 * manifest that they need.
 */
export const PROJECTS = {
  CommonJS: {
    compilerOptions: { ...compiled, module: 'node16' },
    run: (name) => ['node', `${name}.js`],
  },
  'ES modules': {
    manifest: { type: 'module' },
    compilerOptions: {
      ...compiled,
      module: 'nodenext',
      verbatimModuleSyntax: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
    },
    run: (name) => ['node', `${name}.js`],
  },
  'as cdktf init makes it': {
    compilerOptions: {
      strict: true,
      declaration: true,
      lib: ['es2018'],
      module: 'CommonJS',
      target: 'ES2018',
      noUnusedLocals: true,
      noUnusedParameters: true,
      inlineSourceMap: true,
      incremental: true,
      skipLibCheck: true,
    },
    devDependencies: { 'ts-node': '^10.9.2' },
    run: (name) => ['ts-node', `${name}.ts`],
  },
};
