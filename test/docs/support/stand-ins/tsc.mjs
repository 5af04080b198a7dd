/** A fast replacement for tsc. Another test checks the types of the code on all pages at once. */
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
