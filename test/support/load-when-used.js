const { dirname, join } = require('node:path');

/** The code of esbuild for an import of names. */
const IMPORT = /^var (import_\w+) = ((?:__toESM\()?require\("([^"]+)"\)\)?);$/gm;

const TESTS = join(__dirname, '..', '/');

/**
 * Changes a compiled source so that it loads an imported module at the first use of one of its
 * names. Most tests use a few functions of the modules that they import, and these modules import
 * hundreds of others.
 *
 * Two kinds of modules are still loaded at once: those imported for their side effects, and those
 * of the tests, which may define hooks.
 */
function loadWhenUsed(text, path) {
  const late = new Map();
  for (const [, name, load, request] of text.matchAll(IMPORT)) {
    const ofTests = request.startsWith('.') && join(dirname(path), request).startsWith(TESTS);
    if (!ofTests && text.includes(`${name}.`)) late.set(name, load);
  }
  if (late.size === 0) return text;
  return text
    .replace(/\b(import_\w+)\./g, (use, name) => (late.has(name) ? `(${name}()).` : use))
    .replace(IMPORT, (declaration, name) =>
      late.has(name) ? `var $${name};function ${name}(){return $${name}??=${late.get(name)}}` : declaration,
    );
}

module.exports = { loadWhenUsed };
