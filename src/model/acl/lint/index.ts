export { OPEN_PATHS } from './open-paths';
export { hasUnquotedExpression } from './expressions';
export { describeFault, isUnknownSyntax, isUnknownWord, type FaultDescription } from './fault';
export { findAclFault, LINT_IDS, lintAclPolicy, type LintFinding, type LintOptions } from './lint';
export type { LintFix, LintSeverity } from './check';
export { lintTogether } from './together';
