const { AsyncLocalStorage } = require('node:async_hooks');
const { readFileSync, rmSync, statSync } = require('node:fs');
const { Script, runInNewContext } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { loadWhenUsed } = require('./load-when-used.js');
const { noteStorages } = require('./storages.js');

/** A file of tests says by this that it counts work. */
const COUNTS_WORK = /^ \* @counts-work$/m;

/**
 * Globals that no test replaces: those of the language, except for what fake timers replace, and
 * those of Node.js that the code uses most.
 */
const GLOBALS = [
  ...runInNewContext('Object.getOwnPropertyNames(globalThis)').filter(
    (name) => !['Date', 'Intl', 'console', 'eval', 'globalThis', 'undefined'].includes(name),
  ),
  'Buffer',
  'process',
];

/** Globals that counting replaces, by which the calls of their constructors are counted. */
const COUNTED = ['BigInt', 'Map', 'Set'];

const disableStorages = noteStorages(AsyncLocalStorage);

/** The compiled files of this process, by path. */
const compiled = new Map();

/**
 * Transforms and compiles a file once in a process. Jest loads every file anew for each file of
 * tests. Compiling each time would take a quarter of the processor time of all tests.
 *
 * Files receive {@link GLOBALS} as variables: in a context of its own, V8 looks for each use of a
 * global by a function of Node.js, which takes a hundred times as long. Files that count work look
 * for {@link COUNTED} there, and receive the counters as a variable, too.
 */
module.exports = class CompilesOnce extends Runtime {
  #temporaryFolders = [];

  constructor(...options) {
    super(...options);
    const [config, environment, , , , , testFile] = options;
    environment.global.$temporaryFolders = this.#temporaryFolders;
    // Servers and timers may load a module between two tests.
    this.testState.throwIfBetweenTests = () => {};
    const counters = COUNTS_WORK.test(readFileSync(testFile, 'utf8')) ? require('./counters.js') : undefined;
    if (counters) environment.global[counters.NAME] = new counters.Work();
    keepTransformed(this.transformCache);
    const { executor } = this;
    const { injectedModuleParameters: parameters } = executor;
    const compileAnew = executor.compile.bind(executor);
    const context = () => executor.environment.getVmContext();
    const globals = counters
      ? [counters.NAME, ...GLOBALS.filter((name) => !COUNTED.includes(name))]
      : GLOBALS;
    const values = globals.map((name) => environment.global[name]);

    executor.compile = (text, path) => {
      // Jest itself reports errors in a text, and what happens after a test has ended.
      if (context() === null) return compileAnew(text, path);
      const key = counters ? `${path} with counters` : path;
      let found = compiled.get(key);
      if (found?.text !== text) {
        try {
          const late = config.globals.$loadsWhenUsed ? loadWhenUsed(text, path) : text;
          const code = counters?.withCounters(text, path) ?? late;
          found = { text, script: scriptOf(code, path, globals, parameters) };
        } catch {
          return compileAnew(text, path);
        }
        compiled.set(key, found);
      }
      return found.script.runInContext(context())(...values);
    };
  }

  /**
   * Disables the storages of a file of tests, and removes its temporary folders. A hook of the file
   * could run before the one that ends a program, which still writes to the folder.
   */
  teardown() {
    super.teardown();
    disableStorages();
    for (const folder of this.#temporaryFolders) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
};

/** The transformed files of this process, and the times of their last changes. */
const transformed = new Map();

/**
 * Makes Jest's cache for a file of tests return what that of an earlier one returned for files that
 * did not change. Jest would read each file, its transformed text and its source map anew.
 */
function keepTransformed(cache) {
  const transformAnew = cache.transform.bind(cache);
  cache.transform = (path, options) => {
    const key = options?.isInternalModule ? `${path} of Jest` : path;
    const { mtimeMs } = statSync(path);
    const kept = transformed.get(key);
    if (kept?.mtimeMs !== mtimeMs) {
      const code = transformAnew(path, options);
      transformed.set(key, { mtimeMs, code, file: cache.getEntries().get(path) });
      return code;
    }
    const { code, file } = kept;
    if (file) cache.getEntries().set(path, file);
    // For the lines in stacks of errors.
    if (file?.sourceMapPath) cache.getSourceMaps().set(path, file.sourceMapPath);
    return code;
  };
}

/** Returns a script whose value is a function of globals that returns one of the parameters. */
function scriptOf(text, filename, globals, parameters) {
  const head = `(function(${globals.join()}){return function(${parameters.join()}){`;
  // Lines and columns remain those of the text.
  return new Script(`${head}${text}\n}})`, { filename, columnOffset: -head.length });
}
