/** The code of esbuild that declares the exports of a module. */
const DECLARATION = /^var (\w+_exports) = \{\};$/m;

/**
 * Changes a compiled source so that its exports are values. In the code of esbuild each export is
 * two functions, of which one calls the other, so that each use of a name that an `index.ts`
 * exports takes six calls: a quarter of the processor time of all tests.
 *
 * Exports that change remain functions: those of a file with variables, and those without a value
 * when the file has been run, because files import each other.
 */
function plainExports(text) {
  const [declaration, name] = DECLARATION.exec(text) ?? [];
  if (name === undefined || /^let /m.test(text)) return text;
  // The lines keep their numbers, which source maps refer to.
  const plain = text
    .replace(declaration, `var ${name} = __defProp(exports, "__esModule", { value: true });`)
    .replace(`module.exports = __toCommonJS(${name});`, '')
    .replace(/\bget: (?:all\[name\]|\(\) => from\[\w+\]), /g, '$&configurable: true, ');
  return `${plain}\n(${makePlain})(exports);`;
}

/** Replaces functions by their values. It runs in the file whose exports it receives. */
function makePlain(exports) {
  for (const [name, { get }] of Object.entries(Object.getOwnPropertyDescriptors(exports))) {
    try {
      const value = get();
      if (value !== undefined) Object.defineProperty(exports, name, { value });
    } catch {
      // The file that declares it has not been run.
    }
  }
}

module.exports = { plainExports };
