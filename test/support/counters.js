const ts = require('typescript');

/** The global variable with the work of a file of tests. */
const NAME = '$work';

/** Packages that receive foreign texts from the project are counted as well. */
const NOT_COUNTED =
  /\/counted-work\.ts$|node_modules\/(?!(?:re2js|lossless-json|decimal\.js|@msgpack|commander|find-my-way|jose)\/)/;

/**
 * Adds counters to a compiled text: of the calls of its functions, the rounds of its loops and the
 * elements that it spreads. Unlike V8's coverage, they do not depend on what V8 compiled, or on how
 * many files are loaded. Files that are imported when they are needed are loaded by Jest.
 */
function withCounters(text, path) {
  if (NOT_COUNTED.test(path)) return text;
  const added = [];
  const add = (at, what) => added.push({ at, what });
  const visit = (node) => {
    if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) {
      add(node.expression.getStart(file), `${NAME}.spread(`);
      // Before what else ends there.
      ts.forEachChild(node, visit);
      add(node.expression.end, ')');
      return;
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      // In a context of its own V8 imports nothing.
      add(node.getStart(file), 'Promise.resolve().then(() => require/*');
      add(node.expression.end, '*/');
      add(node.arguments[0].end, ".replace(/\\.js$/, '')");
      add(node.end, ')');
      return;
    }
    const body = ts.isFunctionLike(node) || ts.isIterationStatement(node, false) ? bodyOf(node) : undefined;
    if (!body) return ts.forEachChild(node, visit);
    if (ts.isBlock(body)) {
      add(body.getStart(file) + 1, `${NAME}.blocks++;`);
      return ts.forEachChild(node, visit);
    }
    const [before, after] = ts.isStatement(body) ? ['{', '}'] : ['(', ')'];
    add(body.getStart(file), `${before}${NAME}.blocks++${before === '{' ? ';' : ','}`);
    ts.forEachChild(node, visit);
    add(body.end, after);
  };
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false, ts.ScriptKind.JS);
  visit(file);
  added.forEach((each, order) => (each.order = order));
  added.sort((a, b) => a.at - b.at || a.order - b.order);
  let [whole, from] = ['', 0];
  for (const { at, what } of added) {
    whole += text.slice(from, at) + what;
    from = at;
  }
  return whole + text.slice(from);
}

function bodyOf(node) {
  return ts.isIterationStatement(node, false) ? node.statement : node.body;
}

/** The work of the files that are loaded for a file of tests. */
class Work {
  /** Calls of functions and rounds of loops. */
  blocks = 0;
  /** The characters and elements that V8's own functions process. */
  places = 0;

  spread(elements) {
    this.places += this.lengthOf(elements);
    return elements;
  }

  lengthOf(elements) {
    if (typeof elements === 'string') return elements.length;
    if (typeof elements !== 'object' || elements === null) return 0;
    // The work of generators is counted where they are.
    if (Symbol.iterator in elements) return elements.length ?? elements.size ?? 0;
    return keys(elements).length;
  }
}

/** It may be replaced, to be counted. */
const { keys } = Object;

module.exports = { NAME, withCounters, Work };
