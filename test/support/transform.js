/** Compiles a source for Jest, each file separately: types are checked by `npm run typecheck`. */
const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');
const { transformSync, version } = require('esbuild');

const OWN_TEXT = readFileSync(__filename, 'utf8');

module.exports = {
  getCacheKey: (text, path) =>
    createHash('sha256').update([version, OWN_TEXT, path, text].join('\0')).digest('hex'),
  process: (text, path) =>
    transformSync(text, {
      loader: 'ts',
      format: 'cjs',
      platform: 'node',
      target: 'es2022',
      sourcefile: path,
      sourcemap: 'external',
    }),
};
