const { dirname, join } = require('node:path');

/** Finds what esbuild writes for an import whose names are used one by one. */
const IMPORT = /^var (import_\w+) = ((?:__toESM\()?require\("([^"]+)"\)\)?);$/gm;

const TESTS = join(__dirname, '..', '/');

/**
 * Makes a compiled source load what it imports when it uses the first name of it: most tests use a
 * few functions of the modules that they import, and these import hundreds.
 *
 * Loaded at once as before are modules imported for their side effects, and those of the tests,
 * which may define hooks.
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
