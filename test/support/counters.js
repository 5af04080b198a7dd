const ts = require('typescript');

/** The name of the global variable with the counters of a file of tests. */
const NAME = '$work';

/** Files that are not counted. Packages to which the project passes foreign texts are counted. */
const NOT_COUNTED =
  /\/counted-work\.ts$|node_modules\/(?!(?:re2js|lossless-json|decimal\.js|@msgpack|commander|find-my-way|jose)\/)/;

/**
 * Adds code to a compiled text that counts calls of its functions, rounds of its loops and elements
 * that it spreads. Unlike V8's coverage, these counts do not depend on what V8 compiled, or on how
 * many files are loaded. A dynamic import becomes a `require`, which Jest provides.
 */
function withCounters(text, path) {
  if (NOT_COUNTED.test(path)) return text;
  const added = [];
  const add = (at, what) => added.push({ at, what });
  const visit = (node) => {
    if (ts.isSpreadElement(node) || ts.isSpreadAssignment(node)) {
      add(node.expression.getStart(file), `${NAME}.spread(`);
      // This parenthesis has to come after additions within the expression that have the same
      // position.
      ts.forEachChild(node, visit);
      add(node.expression.end, ')');
      return;
    }
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      // V8 supports no dynamic import in the context in which Jest runs tests.
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

/** The counters of one file of tests. */
class Work {
  /** The number of calls of functions and rounds of loops. */
  blocks = 0;
  /** The number of characters and elements that V8's own functions process. */
  places = 0;

  spread(elements) {
    this.places += this.lengthOf(elements);
    return elements;
  }

  lengthOf(elements) {
    if (typeof elements === 'string') return elements.length;
    if (typeof elements !== 'object' || elements === null) return 0;
    // A generator has no length. Its own code counts its work.
    if (Symbol.iterator in elements) return elements.length ?? elements.size ?? 0;
    return keys(elements).length;
  }
}

/** The original function, because counting replaces `Object.keys`. */
const { keys } = Object;

module.exports = { NAME, withCounters, Work };
