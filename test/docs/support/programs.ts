/** The programs of pages, combined from their blocks. */
import { join } from 'node:path';
import { compileFunction } from 'node:vm';
import ts from 'typescript';
import { blocksOf, ROOT } from './page';

const SYNTH = /^app\.synth\(\);?\n/gm;

/** The lines that only the first block of a program contains. */
const BEGINNINGS = {
  ts: /new App\(|^\/\/ \S+\.test\.ts$|^(const .* = )?await /m,
  python: /^app = App\(|import Emulator$/m,
} as const;

/**
 * Returns the programs of a page, in order. A block continues the program before it, unless it
 * begins with the first lines of a program.
 */
export function programsOf(page: string, language: keyof typeof BEGINNINGS): readonly string[] {
  const programs: string[] = [];
  for (const { text } of blocksOf(page).filter((block) => block.language === language)) {
    if (BEGINNINGS[language].test(text)) programs.push(text);
    else programs.push(`${programs.pop()}\n${text}`);
  }
  return programs;
}

/** Returns the programs that are apps, each with `app.synth()` at its end. */
export function appsOf(page: string, language: keyof typeof BEGINNINGS): readonly string[] {
  return programsOf(page, language)
    .filter((code) => /^(const )?app = (new )?App\(/m.test(code))
    .map((code) => `${code.replace(SYNTH, '')}\napp.synth()\n`);
}

/** The compiler options of a user's app, with the sources in place of the package. */
export const COMPILER_OPTIONS: ts.CompilerOptions = {
  strict: true,
  skipLibCheck: true,
  esModuleInterop: true,
  target: ts.ScriptTarget.ES2022,
  module: ts.ModuleKind.Node16,
  types: ['node'],
  paths: {
    'cdktf-vault-admin': [join(ROOT, 'constructs', 'index.ts')],
    'cdktf-vault-admin/bindings/*': [
      join(ROOT, 'constructs', 'generated', 'providers', 'vaultadmin', '*', 'index.ts'),
    ],
    'cdktf-vault-admin/*': [join(ROOT, 'src', '*', 'index.ts')],
  },
};

/** Runs an app in TypeScript, which synthesizes into the folder. */
export function runApp(code: string, folder: string): void {
  const { outputText } = ts.transpileModule(code, { compilerOptions: COMPILER_OPTIONS });
  const app = compileFunction(outputText, ['require', 'exports']) as (
    require: (id: string) => unknown,
    exports: object,
  ) => void;
  process.env.CDKTF_OUTDIR = folder;
  try {
    const load: NodeJS.Require = require;
    app((id) => load(sourceOf(id)) as unknown, {});
  } finally {
    delete process.env.CDKTF_OUTDIR;
  }
}

function sourceOf(id: string): string {
  const [, bindings] = /^cdktf-vault-admin\/bindings\/(.*)$/.exec(id) ?? [];
  return bindings ? join(ROOT, 'constructs', 'generated', 'providers', 'vaultadmin', bindings) : id;
}
