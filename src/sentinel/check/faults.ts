import { assignedNames } from '../ast/within';
import type { File } from '../ast/nodes';
import { STANDARD_IMPORT_NAMES } from '../imports/names';
import { newerFeatures } from '../language/features';
import { nearWord } from '../source/near-words';
import type { Span } from '../source/source-text';
import { findingOf, type SentinelFinding, type FindingId } from '../source/errors';
import type { PolicyEnvironment } from './shape';
import { staticFaults } from '../evaluate/static-faults';

/** Returns why a policy can never run or pass on its host. Empty if it can. */
export function faultsOf(
  file: File,
  environment: Pick<PolicyEnvironment, 'imports' | 'optionalImports' | 'hasParameters' | 'language'>,
): readonly SentinelFinding[] {
  const faults: SentinelFinding[] = staticFaults(file).map(findingOf);
  const fault = (id: FindingId, span: Span, problem: string, hint?: string): void => {
    faults.push({ id, severity: 'error', problem, hint, source: file.source, span });
  };
  const { imports, optionalImports = {}, hasParameters, language } = environment;
  for (const newer of language ? newerFeatures(file, language) : []) faults.push(newer);
  for (const { path, pathSpan } of file.imports) {
    if (imports.includes(path) || Object.hasOwn(optionalImports, path)) continue;
    const near = nearWord(path, imports);
    const isStandard = STANDARD_IMPORT_NAMES.some((each) => each === path);
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    fault(
      'unknown-import',
      pathSpan,
      `the import "${path}" is not ${isStandard ? 'enabled' : 'available'}`,
      hint,
    );
  }
  for (const { name, value } of hasParameters ? [] : file.params) {
    if (value) continue;
    const problem = `the parameter "${name.name}" can never have a value`;
    fault('parameter-without-value', name, problem, 'give it a default');
  }
  const assigned = assignedNames(file);
  if (!assigned.has('main')) {
    const near = nearWord('main', assigned);
    const hint = near === undefined ? 'add: main = rule { … }' : `did you mean "main" instead of "${near}"?`;
    const problem = 'the policy has no "main"';
    const span = { start: 0, end: 0 };
    faults.push({ id: 'no-main', severity: 'warning', problem, hint, source: file.source, span });
  }
  return faults.sort((a, b) => a.span.start - b.span.start);
}
