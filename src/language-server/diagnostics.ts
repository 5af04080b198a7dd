import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { DiagnosticSeverity, type Diagnostic, type Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { lintAclPolicy, type LintFinding } from '../model';
import { renderAdvice } from '../model/messages';
import { VAULT_ENVIRONMENT } from '../model/sentinel';
import { withoutIgnored } from '../policy/accepted-findings';
import { check } from '../sentinel';
import { visible } from '../text';
import { AclText } from './acl-tokens';
import { LONGEST_DOCUMENT, nameOf, Places, policiesIn, type DocumentPolicy } from './policy-document';

const SOURCE = 'vault-admin';
const SEVERITIES = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  note: DiagnosticSeverity.Information,
};

/** The most findings that are shown for a document. */
const MOST_SHOWN = 1000;
/** The page of the findings, which the package contains and executables do not. */
const PAGE = join(__dirname, '..', '..', '..', 'docs', 'reference', 'lint.md');
const PAGE_ADDRESS = existsSync(PAGE) ? pathToFileURL(PAGE).href : undefined;

/** Returns the findings of `policy lint` or `policy check` for a document. */
export function diagnosticsOf(document: TextDocument): readonly Diagnostic[] {
  if (document.getText().length > LONGEST_DOCUMENT) return policiesIn(document).length > 0 ? [tooLong()] : [];
  const all = policiesIn(document).flatMap((policy) =>
    policy.language === 'acl'
      ? findingsOf(policy).map(({ diagnostic }) => diagnostic)
      : sentinelDiagnostics(policy),
  );
  return all.length <= MOST_SHOWN ? all : [...all.slice(0, MOST_SHOWN), notShown(all.length - MOST_SHOWN)];
}

/** Returns the findings of `policy lint` for a policy. */
export function findingsOf({
  document,
  isPart,
  around,
}: DocumentPolicy): readonly { readonly finding: LintFinding; readonly diagnostic: Diagnostic }[] {
  const text = document.getText();
  const found = withoutIgnored(text, lintAclPolicy(text, isPart ? { isTemplate: true } : {}));
  if (found.length === 0) return [];
  const places = new Places(document);
  const acl = new AclText(text);
  return found.map((finding) => {
    const { id, severity, problem, cure } = finding;
    const message = visible(`${problem}. ${renderAdvice(cure)}`);
    const diagnostic: Diagnostic = {
      range: around(rangeOf(finding, places, acl)),
      severity: SEVERITIES[severity],
      source: SOURCE,
      code: id,
      message,
      ...(PAGE_ADDRESS !== undefined && { codeDescription: { href: `${PAGE_ADDRESS}#${id}` } }),
    };
    return { finding, diagnostic };
  });
}

/** Returns the path of the rule that a finding is about, or the rest of the line. */
function rangeOf({ line = 1, column = 1 }: LintFinding, places: Places, acl: AclText): Range {
  const start = places.offsetOf(line, column);
  const path = acl.ruleAt(start)?.path;
  const end = path && path.start - 1 === start ? path.end + 1 : places.endOfLine(start);
  return { start: places.position(start), end: places.position(end) };
}

function sentinelDiagnostics({ document, around }: DocumentPolicy): readonly Diagnostic[] {
  return check(document.getText(), visible(nameOf(document)), VAULT_ENVIRONMENT).map(
    ({ id, severity, problem, hint, span }) => ({
      range: around({ start: document.positionAt(span.start), end: document.positionAt(span.end) }),
      severity: SEVERITIES[severity],
      source: SOURCE,
      code: id,
      message: visible(hint === undefined ? problem : `${problem}; ${hint}`),
    }),
  );
}

function tooLong(): Diagnostic {
  const message = `The policy has more than ${LONGEST_DOCUMENT} characters: examine it with "policy lint" or "policy check".`;
  return ofDocument('too-long', message);
}

function notShown(count: number): Diagnostic {
  return ofDocument(
    'not-shown',
    `${count} more findings are not shown: see "policy lint" or "policy check".`,
  );
}

function ofDocument(code: string, message: string): Diagnostic {
  const start = { line: 0, character: 0 };
  return {
    range: { start, end: start },
    severity: DiagnosticSeverity.Information,
    source: SOURCE,
    code,
    message,
  };
}
