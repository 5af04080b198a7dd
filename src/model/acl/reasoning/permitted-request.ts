import { ROOT_PATHS } from './root-paths';
import type { AclRequest } from '../acl';
import { Effort } from '../effort';
import type { ComparedOperation } from './compared-operations';
import { explainRequest } from './explain';
import { FreshTexts, intersect, patternOf, pathOutside, type PathPattern } from './pattern';
import { PatternIndex } from './pattern-index';
import { foldersOf, type AclPolicySet, type ClauseMode } from './policy-set';
import { findDifference, maySubscribe, ParameterSearch, requestOperation } from './request-difference';

/**
 * Finds a request that a set of policies permits on one of the paths that a pattern names. The
 * search is complete: if it finds nothing, no request is permitted.
 *
 * @param pattern a path as rules name it, with `+` and a final `*`. For a list, the pattern may
 * name the folder with or without its final slash.
 * @throws TooComplexError if it takes more steps than `effort` has. Default: the limit for the
 * length of the policies.
 */
export function findPermitted(
  set: AclPolicySet,
  operation: ComparedOperation,
  pattern: string,
  effort = Effort.for([set, { names: [], characters: pattern.length }]),
): AclRequest | undefined {
  const wanted = patternOf(pattern.replace(/^\/+/, ''));
  const modes: readonly ClauseMode[] =
    operation === 'list' ? ['list'] : operation === 'sudo' ? ['path', 'list'] : ['path'];
  for (const mode of modes) {
    const found = findIn(set, mode, operation, wanted, effort);
    if (found) return found;
  }
  return undefined;
}

function findIn(
  set: AclPolicySet,
  mode: ClauseMode,
  operation: ComparedOperation,
  wanted: PathPattern,
  effort: Effort,
): AclRequest | undefined {
  const clauses = set.clauses(mode, effort);
  const patterns = clauses.map(({ pattern }) => pattern);
  effort.spend(patterns.length + set.namespaces.length * ROOT_PATHS.length);
  const rootPaths = set.namespaces.flatMap((each) => ROOT_PATHS.map((path) => patternOf(each + path)));
  const isProtected = mode === 'list' ? rootPaths.flatMap(foldersOf) : rootPaths;
  const asked = mode === 'list' ? listedFolders(wanted) : [wanted];
  const fresh = new FreshTexts([...patterns, ...asked, ...isProtected]);
  const search = new ParameterSearch(effort);
  const [ofClauses, ofProtected] = [new PatternIndex(patterns), new PatternIndex(isProtected)];
  for (const [rank, { pattern, rule }] of clauses.entries()) {
    const details = findDifference(operation, set.permitted(rule), undefined, search);
    const needsSudo = operation !== 'sudo' && !rule.permissions.capabilities.has('sudo');
    for (const each of details ? asked : []) {
      const common = intersect(pattern, each, effort);
      if (!common) continue;
      const earlier = ofClauses.meeting(common, effort).filter((other) => other < rank);
      const others = [
        ...earlier.map((other) => patterns[other]!),
        ...(needsSudo ? ofProtected.meeting(common, effort).map((other) => isProtected[other]!) : []),
      ];
      const segments = pathOutside(common, others, fresh, effort);
      if (!segments) continue;
      const path = segments.join('/') + (mode === 'list' ? '/' : '');
      const request: AclRequest = { operation: requestOperation(operation, mode), path, ...details };
      return confirmed(set, operation, request, effort);
    }
  }
  return undefined;
}

/** Returns the folders, without their final slash, whose lists a pattern names. */
function listedFolders(wanted: PathPattern): readonly PathPattern[] {
  const last = wanted.segments.at(-1)!;
  const hasSlash = last.text === '' && !last.open;
  return hasSlash ? foldersOf(wanted) : [wanted, ...foldersOf(wanted)];
}

/**
 * Returns the request if the evaluator confirms it. Otherwise this module has a fault, and the
 * request is not shown.
 */
function confirmed(
  set: AclPolicySet,
  operation: ComparedOperation,
  request: AclRequest,
  effort: Effort,
): AclRequest {
  const holds =
    operation === 'sudo'
      ? set.acl.allow(request, effort).sudo
      : operation === 'subscribe'
        ? maySubscribe(set.acl, request, effort)
        : explainRequest(set, request, effort).allowed;
  if (holds) return request;
  throw new Error(`the request ${request.operation} ${request.path} could not be confirmed`);
}
