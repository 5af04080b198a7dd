/**
 * Stands in for tsc, which takes seconds: another test looks at the types of all that the pages
 * show, in one go.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

const { default: esbuild } = await import(
  createRequire(join(process.env.CHECKOUT, 'x.js')).resolve('esbuild')
);

for (const file of readdirSync('.').filter((name) => name.endsWith('.ts'))) {
  const { code } = esbuild.transformSync(readFileSync(file, 'utf8'), {
    loader: 'ts',
    format: 'cjs',
    target: 'es2022',
    sourcemap: 'inline',
    sourcefile: file,
  });
  writeFileSync(file.replace(/ts$/, 'js'), code);
}
