import eslint from '@eslint/js';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const NO_DOUBLE_CAST = {
  selector: 'TSAsExpression > TSAsExpression.expression > TSUnknownKeyword',
  message: 'Check the value, or type what it comes from: `as unknown as` turns the compiler off.',
};

const NO_PRIVATE_KEYWORD = {
  selector:
    ':matches(PropertyDefinition, AccessorProperty, TSParameterProperty, MethodDefinition[kind!="constructor"])[accessibility="private"]',
  message: 'Write `#name`: it is private at run time as well, and stays out of logs and JSON.',
};

const NO_HASH_NAMES = {
  selector: 'PropertyDefinition > PrivateIdentifier, MethodDefinition > PrivateIdentifier',
  message: 'Write `private`: jsii, which compiles the constructs, does not know `#names`.',
};

const NO_RAW_OUTPUT = {
  selector: [
    'CallExpression[callee.object.name="console"]',
    'CallExpression[callee.property.name=/^(write|end)$/]:matches([callee.object.name=/^(output|stream|std(out|err))$/], [callee.object.property.name=/^std(out|err)$/])',
    // Under a name of its own, nobody would know it.
    'VariableDeclarator:matches([init.property.name=/^std(out|err)$/], [init.name="process"])',
    'MemberExpression[computed=true][object.name="process"]',
    ':matches(ImportSpecifier[imported.name="writeSync"], MemberExpression[property.name="writeSync"])',
  ].join(', '),
  message:
    'Print with `output/print.ts`: it shows control characters and line breaks of texts from servers, files and the environment.',
};

const NO_BUILT_REGEXP = {
  selector: ':function :matches(NewExpression, CallExpression)[callee.name="RegExp"]',
  message:
    'Write a literal, or compare texts: an expression that is built from foreign parts may take forever.',
};

const messagesFile = {
  rules: {
    name: {
      create: (context) => ({
        Program: (node) => {
          if (/[/\\](problems|failures|refusals|notices|words|findings)\.ts$/.test(context.filename)) {
            context.report({ node, message: "A folder's texts for people stand in `messages.ts`." });
          }
        },
      }),
    },
  },
};

/** Comments that have to be read twice because of their first word. */
const plainComments = {
  rules: {
    openings: {
      create: (context) => ({
        Program: () => {
          for (const comment of context.sourceCode.getAllComments()) {
            const [word] = /^[\s*]*(?:What|Of|Who)(?= )/.exec(comment.value) ?? [];
            if (word === undefined) continue;
            const message = `Open with a verb ("Returns …") or a noun that readers know, in place of "${word.replace(/[\s*]/g, '')}".`;
            context.report({ loc: comment.loc, message });
          }
        },
      }),
    },
  },
};

export default tseslint.config(
  {
    ignores: [
      'lib/',
      '**/dist/',
      'cdktf.out/',
      '.stryker-tmp/',
      'src/plugin/wire/generated/',
      'constructs/generated/',
    ],
  },
  eslint.configs.recommended,
  {
    plugins: { 'plain-comments': plainComments },
    rules: {
      'plain-comments/openings': 'error',
      // Prettier breaks code. Tables and directives stay on one line.
      'max-len': [
        'error',
        { code: 1000, comments: 100, ignoreUrls: true, ignorePattern: '^\\s*(\\* \\||// eslint-|// @ts-)' },
      ],
    },
  },
  {
    files: ['**/*.ts'],
    extends: [...tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      'no-duplicate-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      // Handlers share one asynchronous signature, whether or not the one at hand waits for
      // anything.
      '@typescript-eslint/require-await': 'off',
    },
  },
  {
    files: ['src/**/*.ts', 'constructs/**/*.ts'],
    plugins: { 'messages-file': messagesFile, regexp },
    rules: {
      'messages-file/name': 'error',
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': 'error',
      'no-restricted-syntax': ['error', NO_DOUBLE_CAST, NO_PRIVATE_KEYWORD, NO_BUILT_REGEXP],
      '@typescript-eslint/naming-convention': [
        'error',
        { selector: 'variable', modifiers: ['const', 'global'], format: ['UPPER_CASE'] },
        {
          selector: 'variable',
          modifiers: ['const', 'global'],
          types: ['function'],
          format: ['camelCase', 'UPPER_CASE'],
        },
        { selector: 'variable', modifiers: ['const', 'global', 'destructured'], format: null },
      ],
    },
  },
  {
    files: ['src/cli/**/*.ts'],
    ignores: ['src/cli/output/**'],
    rules: {
      'no-restricted-syntax': ['error', NO_DOUBLE_CAST, NO_PRIVATE_KEYWORD, NO_BUILT_REGEXP, NO_RAW_OUTPUT],
    },
  },
  {
    // These read files of others: of limited size, and nothing that has no end. The exceptions read
    // files of the package.
    files: ['src/{client,cli,policy,provider}/**/*.ts', 'constructs/**/*.ts'],
    ignores: [
      'src/cli/policy/http/sender-process.ts',
      'constructs/placement/{place-package,provider-package}.ts',
    ],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          paths: ['node:fs', 'node:fs/promises'].map((name) => ({
            name,
            importNames: ['readFile', 'readFileSync'],
            message: 'Read with `src/files`: it refuses pipes, devices and files that are too long.',
          })),
        },
      ],
    },
  },
  {
    // Built from texts of this code, or from names that the user chose, each of which is escaped.
    files: ['src/emulator/core/routing/path-set.ts', 'src/cli/verify/anonymous.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_DOUBLE_CAST, NO_PRIVATE_KEYWORD] },
  },
  {
    files: ['constructs/**/*.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_DOUBLE_CAST, NO_HASH_NAMES, NO_BUILT_REGEXP] },
  },
  {
    // The casts for what the framework's types leave out are in this file alone.
    files: ['constructs/private/framework.ts'],
    rules: { 'no-restricted-syntax': ['error', NO_HASH_NAMES, NO_BUILT_REGEXP] },
  },
  {
    files: ['test/**/*.ts'],
    rules: {
      // Answers of servers have any shape: the tests say which.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['src/**/*.js', 'scripts/**/*.mjs'],
    // It reads the code that jsii generates from this package.
    ignores: ['scripts/flavours/python-package.mjs'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'no-restricted-syntax': ['error', NO_BUILT_REGEXP],
    },
  },
  {
    files: ['**/*.js', '**/*.mjs', '**/*.cjs'],
    languageOptions: {
      globals: {
        module: 'writable',
        require: 'readonly',
        __dirname: 'readonly',
        __filename: 'readonly',
        AbortSignal: 'readonly',
        Buffer: 'readonly',
        console: 'readonly',
        fetch: 'readonly',
        process: 'readonly',
        URL: 'readonly',
      },
    },
  },
  {
    // They run in browsers.
    files: ['src/view/page/static/*.js'],
    languageOptions: {
      globals: {
        addEventListener: 'readonly',
        document: 'readonly',
        DOMParser: 'readonly',
        fetch: 'readonly',
        getComputedStyle: 'readonly',
        history: 'readonly',
        location: 'readonly',
        sessionStorage: 'readonly',
        URLSearchParams: 'readonly',
        setTimeout: 'readonly',
      },
    },
  },
);
