const { Script } = require('node:vm');
const { default: Runtime } = require('jest-runtime');

/** What this process compiled, by path. */
const compiled = new Map();

/**
 * Compiles a file once in a process. Jest loads every file anew for every file of tests, and compiles it each time: that would
 * take a quarter of the processor time of all tests.
 */
module.exports = class CompilesOnce extends Runtime {
  constructor(...options) {
    super(...options);
    const { executor } = this;
    const { injectedModuleParameters: parameters } = executor;
    const compileAnew = executor.compile.bind(executor);
    const context = () => executor.environment.getVmContext();

    executor.compile = (text, path) => {
      // Jest's own way says what is wrong with a text, and what happens after a test has ended.
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

/** Its value is a function with these parameters. */
function scriptOf(text, filename, parameters) {
  const head = `(function(${parameters.join()}){`;
  // Lines and columns stay those of the text.
  return new Script(`${head}${text}\n})`, { filename, columnOffset: -head.length });
}
