import { assignedNames } from '../ast/walk';
import type { File } from '../ast/nodes';
import type { SentinelError } from '../errors';
import { STANDARD_IMPORT_NAMES } from '../imports/names';
import { nearWord } from '../source/near-words';
import type { SourceText, Span } from '../source/source-text';
import type { Environment } from './shape';
import { staticFaults } from './static-faults';

/** What is to be said of a text. Errors keep it from running or being of use; warnings are of parts that can never hold. */
export interface Finding {
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  readonly hint: string | undefined;
  readonly source: SourceText;
  readonly span: Span;
}

/** Why a policy can never run, or never pass, where it is to run. Empty if it can. */
export function faultsOf(
  file: File,
  environment: Pick<Environment, 'imports' | 'optionalImports' | 'hasParameters'>,
): readonly Finding[] {
  const faults = staticFaults(file).map(findingOf);
  const fault = (span: Span, problem: string, hint?: string): void => {
    faults.push({ severity: 'error', problem, hint, source: file.source, span });
  };
  const { imports, optionalImports = {}, hasParameters } = environment;
  for (const { path, pathSpan } of file.imports) {
    if (imports.includes(path) || Object.hasOwn(optionalImports, path)) continue;
    const near = nearWord(path, imports);
    const isStandard = STANDARD_IMPORT_NAMES.some((each) => each === path);
    const hint = near === undefined ? undefined : `did you mean "${near}"?`;
    fault(pathSpan, `the import "${path}" is not ${isStandard ? 'enabled' : 'available'}`, hint);
  }
  for (const { name, value } of hasParameters ? [] : file.params) {
    if (!value) fault(name, `the parameter "${name.name}" can never have a value`, 'give it a default');
  }
  const assigned = assignedNames(file);
  if (!assigned.has('main')) {
    const near = nearWord('main', assigned);
    const hint = near === undefined ? 'add: main = rule { … }' : `did you mean "main" instead of "${near}"?`;
    const problem = 'the policy has no "main"';
    faults.push({ severity: 'warning', problem, hint, source: file.source, span: { start: 0, end: 0 } });
  }
  return faults.sort((a, b) => a.span.start - b.span.start);
}

export function findingOf({ problem, hint, source, span }: SentinelError): Finding {
  return { severity: 'error', problem, hint, source, span };
}

/** `file:line:column: problem`, with the line and a caret. */
export function describeFinding({ severity, problem, hint, source, span }: Finding): string {
  const cure = hint === undefined ? '' : `; ${hint}`;
  return `${source.place(span.start)}: ${severity}: ${problem}${cure}\n\n${source.excerpt(span)}`;
}
