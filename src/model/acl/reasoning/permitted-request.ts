import { ROOT_PATHS } from './root-paths';
import type { AclRequest } from '../acl';
import { explainRequest } from './explain';
import { FreshTexts, intersect, patternOf, pathOutside, type PathPattern } from './pattern';
import { foldersOf, type AclPolicySet, type ClauseMode } from './policy-set';
import { findDifference, maySubscribe, requestOperation, type ComparedOperation } from './request-difference';

/**
 * Finds a request that a set of policies permits on one of the paths that a pattern names. The search is complete: if
 * nothing is found, there is no such request.
 *
 * @param pattern a path as rules name it, with `+` and a final `*`. A list of a folder belongs to it with or without the
 * final slash.
 */
export function findPermitted(
  set: AclPolicySet,
  operation: ComparedOperation,
  pattern: string,
): AclRequest | undefined {
  const wanted = patternOf(pattern.replace(/^\/+/, ''));
  const modes: readonly ClauseMode[] =
    operation === 'list' ? ['list'] : operation === 'sudo' ? ['path', 'list'] : ['path'];
  for (const mode of modes) {
    const found = findIn(set, mode, operation, wanted);
    if (found) return found;
  }
  return undefined;
}

function findIn(
  set: AclPolicySet,
  mode: ClauseMode,
  operation: ComparedOperation,
  wanted: PathPattern,
): AclRequest | undefined {
  const clauses = set.clauses(mode);
  const rootPaths = set.namespaces.flatMap((each) => ROOT_PATHS.map((path) => patternOf(each + path)));
  const isProtected = mode === 'list' ? rootPaths.flatMap(foldersOf) : rootPaths;
  const asked = mode === 'list' ? listedFolders(wanted) : [wanted];
  const earlier: PathPattern[] = [];
  const fresh = new FreshTexts([...clauses.map(({ pattern }) => pattern), ...asked, ...isProtected]);
  for (const { pattern, rule } of clauses) {
    const details = findDifference(operation, set.permitted(rule), undefined);
    const needsSudo = operation !== 'sudo' && !rule.permissions.capabilities.has('sudo');
    for (const each of details ? asked : []) {
      const common = intersect(pattern, each);
      const others = needsSudo ? [...earlier, ...isProtected] : earlier;
      const segments = common && pathOutside(common, others, fresh);
      if (!segments) continue;
      const path = segments.join('/') + (mode === 'list' ? '/' : '');
      return confirmed(set, operation, { operation: requestOperation(operation, mode), path, ...details });
    }
    earlier.push(pattern);
  }
  return undefined;
}

/** The folders, without their final slash, whose lists a pattern names. */
function listedFolders(wanted: PathPattern): readonly PathPattern[] {
  const last = wanted.segments.at(-1)!;
  const hasSlash = last.text === '' && !last.open;
  return hasSlash ? foldersOf(wanted) : [wanted, ...foldersOf(wanted)];
}

/** A request that the evaluator does not confirm would be a fault of this module, and is never shown. */
function confirmed(set: AclPolicySet, operation: ComparedOperation, request: AclRequest): AclRequest {
  const holds =
    operation === 'sudo'
      ? set.acl.allow(request).sudo
      : operation === 'subscribe'
        ? maySubscribe(set.acl, request)
        : explainRequest(set, request).allowed;
  if (holds) return request;
  throw new Error(`the request ${request.operation} ${request.path} could not be confirmed`);
}
