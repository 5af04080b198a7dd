const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** The compiled files of this process, by path. */
const compiled = new Map();

/**
 * Compiles a file once in a process. Jest loads every file anew for each file of tests. Compiling
 * each time would take a quarter of the processor time of all tests.
 */
module.exports = class CompilesOnce extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    const { injectedModuleParameters: parameters } = executor;
    const compileAnew = executor.compile.bind(executor);
    const context = () => executor.environment.getVmContext();

    executor.compile = (text, path) => {
      // Jest itself reports errors in a text, and what happens after a test has ended.
      if (context() === null) return compileAnew(text, path);
      let found = compiled.get(path);
      if (found?.text !== text) {
        try {
          found = { text, script: scriptOf(text, path, parameters) };
        } catch {
          return compileAnew(text, path);
        }
        compiled.set(path, found);
      }
      return found.script.runInContext(context());
    };
  }
};

/** Returns a script whose value is a function with these parameters. */
function scriptOf(text, filename, parameters) {
  const head = `(function(${parameters.join()}){`;
  // Lines and columns remain those of the text.
  return new Script(`${head}${text}\n})`, { filename, columnOffset: -head.length });
}
