import {
  DEFAULT_POLICY,
  explainRequest,
  findPermitted,
  parseAclPolicy,
  SHIPPED_DEFAULT_POLICY,
  TooComplexError,
  type AclExplanation,
  type AclPolicySet,
  type NamedAclPolicy,
} from '../../../model';
import { SentinelCheckError, SentinelError } from '../../../sentinel';
import { SourceText, type Span } from '../../../sentinel/source/source-text';
import { UserError } from '../../errors';
import { limitedSet } from '../answers/agent-limits';
import { policiesAt } from '../sources/files';
import { identityInFile } from '../sources/identity';
import { mayDecideOn, parsePolicies, type PlacedPolicy, type PolicyFault } from '../sources/policy-source';
import { setOf, versionOf } from '../sources/read-set';
import { readAclTests, type AclCheck, type AclTestFile, type TestedToken } from './read-tests';

/** The result of a test file. */
export interface AclFileResult {
  readonly path: string;
  /** The reason why none of the tests could run. */
  readonly error: SentinelError | undefined;
  readonly tokens: readonly AclTokenResult[];
  /** The policies of the file's sources. */
  readonly policies: readonly PlacedPolicy[];
}

export interface AclTokenResult {
  readonly name: string;
  /** The reason why the requests could not be decided. */
  readonly error: SentinelError | undefined;
  readonly checks: readonly AclCheckResult[];
}

export interface AclCheckResult {
  readonly check: AclCheck;
  readonly line: number;
  readonly passed: boolean;
  /**
   * The explanation of the decision. With `never`: that of a request that is allowed, or
   * `undefined` if none is.
   */
  readonly explanation: AclExplanation | undefined;
}

type ReadText = (path: string) => string;

interface RunOptions {
  /** Whether to run the tests of a token. */
  readonly isChosen: (file: string, token: string) => boolean;
  readonly read: ReadText;
}

/** Runs the tests of files. An invalid file or policy only stops the tests that need it. */
export function runAclTests(
  paths: readonly string[],
  { isChosen, read }: RunOptions,
): readonly AclFileResult[] {
  return paths.map((path) => {
    try {
      const file = readAclTests(new SourceText(path, read(path)));
      const chosen = file.tokens.filter(({ name }) => isChosen(path, name));
      if (chosen.length === 0) return { path, error: undefined, tokens: [], policies: [] };
      const { policies, faults } = parsePolicies(
        reported(file, START, () => file.sources.flatMap(policiesAt)),
        file.serverVersion,
      );
      const tokens = chosen.map((token) => tokenResult(file, token, policies, faults));
      return { path, error: undefined, tokens, policies };
    } catch (error) {
      if (!(error instanceof SentinelError)) throw error;
      return { path, error, tokens: [], policies: [] };
    }
  });
}

/**
 * Returns the files and folders with the policies of tests. A test that cannot be read names none.
 */
export function sourcesOfTests(paths: readonly string[], read: ReadText): readonly string[] {
  return paths.flatMap((path) => {
    try {
      return readAclTests(new SourceText(path, read(path))).sources;
    } catch {
      return [];
    }
  });
}

const START: Span = { start: 0, end: 0 };

function tokenResult(
  file: AclTestFile,
  token: TestedToken,
  policies: readonly PlacedPolicy[],
  faults: readonly PolicyFault[],
): AclTokenResult {
  const { name, checks, identity, span } = token;
  try {
    const filled = reported(file, span, () => identity && identityInFile(identity));
    const { policies: names, ceiling, namespace, groups } = token;
    const all = [...policies, ...faults];
    const ofGroups = groups
      .filter((group) => file.areGroupsForAll || group.namespace.startsWith(namespace))
      .map((group) => ({ ...group, found: all.filter(({ name }) => group.policies.includes(name)) }));
    const own = all.filter(({ name }) => names?.includes(name) ?? !(ceiling ?? []).includes(name));
    const ofCeiling = all.filter(({ name }) => ceiling?.includes(name));
    const inNamespace = (found: typeof all, wanted: readonly string[] | undefined, path: string) =>
      [...found.filter((each) => 'policy' in each), ...missing(file, span, wanted, found)].map((each) =>
        within(each, path),
      );
    const part = (found: readonly NamedAclPolicy[]) =>
      setOf(found, {
        ...versionOf(file.serverVersion),
        settings: file.settings,
        ...(filled && { identity: filled }),
      });
    const limit = ceiling && part(inNamespace(ofCeiling, ceiling, namespace));
    const ofToken = [
      ...inNamespace(own, names, namespace),
      ...ofGroups.flatMap((group) => inNamespace(group.found, group.policies, group.namespace)),
    ];
    const set = reported(file, span, () => limitedSet(part(ofToken), limit, token));
    const brokenIn = (found: typeof all, path: string) =>
      found.flatMap((each) =>
        'reason' in each ? [{ ...each, namespace: each.namespace === '' ? path : each.namespace }] : [],
      );
    const broken = [
      ...brokenIn([...own, ...ofCeiling], namespace),
      ...ofGroups.flatMap((group) => brokenIn(group.found, group.namespace)),
    ];
    return { name, error: undefined, checks: checks.map((check) => checkResult(file, check, set, broken)) };
  } catch (error) {
    if (!(error instanceof SentinelError)) throw error;
    return { name, error, checks: [] };
  }
}

/** Returns a policy in a namespace, unless its source specifies another one. */
function within({ name, policy }: NamedAclPolicy, namespace: string): NamedAclPolicy {
  return { name, policy: policy.namespace === '' ? { ...policy, namespace } : policy };
}

/**
 * Returns those of a token's policies that no source contains: only `default` may be missing,
 * because servers come with it.
 */
function missing(
  { source }: AclTestFile,
  span: Span,
  names: readonly string[] | undefined,
  found: readonly { readonly name: string }[],
) {
  return (names ?? [])
    .filter((name) => found.every((each) => each.name !== name))
    .map((name) => {
      if (name !== DEFAULT_POLICY) {
        const problem = `there is no policy ${JSON.stringify(name)} in the sources of the file`;
        throw new SentinelCheckError(source, span, problem);
      }
      return { name, policy: parseAclPolicy(SHIPPED_DEFAULT_POLICY) };
    });
}

function checkResult(
  { source }: AclTestFile,
  check: AclCheck,
  set: AclPolicySet,
  broken: readonly PolicyFault[],
): AclCheckResult {
  const { path, span } = check;
  const unknown = broken.find((each) => check.expected === 'never' || mayDecideOn(each, path));
  if (unknown) throw new SentinelCheckError(source, span, unknown.message);
  const line = source.line(span.start);
  try {
    if (check.expected === 'never') {
      const found = findPermitted(set, check.operation, path);
      return { check, line, passed: !found, explanation: found && explainRequest(set, found) };
    }
    const { operation, data, wrapTtl } = check;
    const explanation = explainRequest(set, {
      operation,
      path,
      ...(data && { data }),
      ...(wrapTtl !== undefined && { wrapTtl }),
    });
    return { check, line, passed: explanation.allowed === (check.expected === 'allowed'), explanation };
  } catch (error) {
    if (!(error instanceof TooComplexError)) throw error;
    throw new SentinelCheckError(source, span, `${check.operation} ${path}: ${error.message}`);
  }
}

/**
 * Runs a function that reads files which a test names. If it fails, the error has the position of
 * the name.
 */
function reported<T>({ source }: AclTestFile, span: Span, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof UserError) throw new SentinelCheckError(source, span, error.message);
    throw error;
  }
}
