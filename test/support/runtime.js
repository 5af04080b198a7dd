const { AsyncLocalStorage } = require('node:async_hooks');
const { readFileSync, rmSync, statSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { Script, runInNewContext } = require('node:vm');
const { default: Runtime } = require('jest-runtime');
const { loadWhenUsed } = require('./load-when-used.js');
const { plainExports } = require('./plain-exports.js');
const { noteStorages } = require('./storages.js');

// V8 optimizes functions after nine times as many calls as usual. Each file of tests runs in a
// context of its own, for which V8 optimizes anew: this would take an eighth of the processor time.
setFlagsFromString('--interrupt-budget=600000');

/** The tag in the first comment of a file of tests that counts work. */
const COUNTS_WORK = /^ \* @counts-work$/m;

/**
 * Globals that no test replaces: the globals of the language, without those that fake timers
 * replace, and the most used ones of Node.js.
 */
const GLOBALS = [
  ...runInNewContext('Object.getOwnPropertyNames(globalThis)').filter(
    (name) => !['Date', 'Intl', 'console', 'eval', 'globalThis', 'undefined'].includes(name),
  ),
  'Buffer',
  'process',
];

/** Globals that counting replaces, so that calls of their constructors are counted. */
const COUNTED = ['BigInt', 'Map', 'Set'];

const disableStorages = noteStorages(AsyncLocalStorage);

/** By path, the compiled files of this process. */
const compiled = new Map();

/**
 * Transforms and compiles a file once in a process. Jest loads every file again for each file of
 * tests, and compiling each time would take a quarter of the processor time of all tests.
 *
 * Files receive {@link GLOBALS} as variables. Without that, V8 would call a function of Node.js for
 * each use of a global, because tests run in a context of their own; this takes a hundred times as
 * long. Files that count work receive the counters as a variable and not {@link COUNTED}, which
 * counting replaces.
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
    const change = config.globals.$loadsWhenUsed && !counters ? loadWhenUsed : plainExports;
    const prepare = (text, path) => {
      const own = path.includes('/node_modules/') ? text : change(text, path);
      return counters?.withCounters(own, path) ?? own;
    };

    executor.compile = (text, path) => {
      // Jest's own compile function reports syntax errors, and code that is loaded after a test has
      // ended.
      if (context() === null) return compileAnew(text, path);
      const key = counters ? `${path} with counters` : path;
      let found = compiled.get(key);
      if (found?.text !== text) {
        try {
          found = { text, script: scriptOf(prepare(text, path), path, globals, parameters) };
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
   * could remove them too early, before another hook ends a program that writes to them.
   */
  teardown() {
    super.teardown();
    disableStorages();
    for (const folder of this.#temporaryFolders) {
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    }
  }
};

/** By path, the transformed files of this process with the times of their last changes. */
const transformed = new Map();

/**
 * Makes the cache for a file of tests return the results of earlier caches for unchanged files.
 * Jest would read each file, its transformed text and its source map again.
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
    // The source maps are needed for the line numbers in stack traces.
    if (file?.sourceMapPath) cache.getSourceMaps().set(path, file.sourceMapPath);
    return code;
  };
}

/**
 * Returns a script that evaluates to a function: it takes the globals, and returns the function of
 * the file, which takes the parameters.
 */
function scriptOf(text, filename, globals, parameters) {
  const head = `(function(${globals.join()}){return function(${parameters.join()}){`;
  // The text starts in the first line, and the offset corrects its columns.
  return new Script(`${head}${text}\n}})`, { filename, columnOffset: -head.length });
}
