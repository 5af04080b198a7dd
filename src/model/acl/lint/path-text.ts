import { templateParts } from '../template';
import { otherPath, type LintedRule, type LintProblem } from './check';

/** Reports the prefix of the HTTP API, which paths of policies do not have. */
export function apiPrefix({ rule: { path }, mounts }: LintedRule): LintProblem | undefined {
  if (!path.startsWith('v1/') || path === 'v1/' || mounts.kinds.has('v1')) return undefined;
  const meant = path.slice('v1/'.length);
  return {
    problem: 'paths of policies have no "v1/", which only addresses of the HTTP API begin with',
    ...otherPath(meant),
  };
}

/** Reports an empty segment: the server removes it from the path of every request. */
export function doubleSlash({ rule: { path } }: LintedRule): LintProblem | undefined {
  if (!path.includes('//') || path.startsWith('/')) return undefined;
  const problem = 'no request has a path with two slashes in succession';
  // The path that was meant by a whole address is not known.
  if (path.includes('://')) return { problem, cure: 'write the mount and the path below it' };
  return { problem, ...otherPath(path.replace(/\/+/g, '/')) };
}

/**
 * Reports blanks at an end of a path or beside a slash: the server takes them as part of the path.
 */
export function outerBlanks({ rule: { path } }: LintedRule): LintProblem | undefined {
  const outer = path.trim();
  const meant = outer.replace(/\s?\/\s?/g, '/');
  if (meant === path || outer === '') return undefined;
  const where = outer === path ? 'has a blank beside a slash' : 'begins or ends with a blank';
  return { problem: `the path ${where}, which belongs to it`, ...otherPath(meant) };
}

/** Reports a character that is encoded as in addresses: `%20`. */
export function percentEncoding({ rule: { path } }: LintedRule): LintProblem | undefined {
  const [encoded] = /%[2-7][0-9A-F]/i.exec(path) ?? [];
  if (encoded === undefined) return undefined;
  const character = decodeURIComponent(encoded);
  return {
    problem: `the server decodes the paths of requests before it compares them, so ${JSON.stringify(encoded)} is literal`,
    cure: `write ${JSON.stringify(character)}`,
  };
}

/** Reports the query of an address: `?list=true`. */
export function queryInPath({ rule: { path } }: LintedRule): LintProblem | undefined {
  const query = /\?(?:\w+=[^/]*)?$/.exec(path)?.[0];
  if (query === undefined) return undefined;
  return {
    problem: `the query ${JSON.stringify(query)} is no part of the path of a request`,
    cure: query.startsWith('?list')
      ? 'remove it, and grant "list"'
      : 'remove it, or constrain the parameter with allowed_parameters',
  };
}

/** The parts of regular expressions and shell patterns that hardly any name has. */
const EXPRESSION_PARTS = [
  /^\^/,
  /\w\$$/,
  /(?<=^|\/)\.[*+](?=\/|$)/,
  /\[\^?\w-\w[^[\]/]*\]/,
  /\[[^[\]/]+\][*+?]/,
  /\([\w-]+(?:\|[\w-]+)+\)/,
  /\{[\w-]+(?:,[\w-]+)+\}/,
  /\\[dswDSW]/,
];

/** Reports a path that looks like a regular expression. */
export function regularExpression({ rule: { path } }: LintedRule): LintProblem | undefined {
  const text = templateParts(path)
    .texts.join('')
    .replace(/[$%]\{[^{}]*\}/g, '');
  const [part] = EXPRESSION_PARTS.flatMap((expression) => expression.exec(text)?.[0] ?? []);
  if (part === undefined) return undefined;
  return {
    problem: `${JSON.stringify(part)} is literal: paths of policies are no regular expressions`,
    cure: 'write "+" for any one segment, "*" at the end for any rest, or a rule for each name',
  };
}

/** Reports a `+` beside letters: only a whole segment is a wildcard. */
export function literalPlus({ rule: { path } }: LintedRule): LintProblem | undefined {
  const segments = path.replace(/\*$/, '').split('/');
  const segment = segments.find((each) => /^(?:[\w-]+\+|\+[\w-]+)$/.test(each));
  if (segment === undefined) return undefined;
  return {
    problem: `the "+" in ${JSON.stringify(segment)} is literal: only a whole segment "+" is a wildcard`,
    cure: 'write "+" for the whole segment, or a "*" at the end of the path',
  };
}
