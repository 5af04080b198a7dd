import { CodeActionKind, TextEdit, type CodeAction, type Range } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LintFix } from '../model';
import { goQuote } from '../model/hcl';
import { visible } from '../text';
import { AclText, type AclBlock } from './acl-tokens';
import { findingsOf } from './diagnostics';
import { LONGEST_DOCUMENT, policiesIn, type DocumentPolicy } from './policy-document';

/** Returns the certain cures of the findings within a range. */
export function quickFixes(document: TextDocument, range: Range): readonly CodeAction[] {
  if (document.getText().length > LONGEST_DOCUMENT) return [];
  return policiesIn(document)
    .filter(({ language }) => language === 'acl')
    .flatMap((policy) => fixesOf(policy, document, range));
}

function fixesOf(policy: DocumentPolicy, document: TextDocument, range: Range): readonly CodeAction[] {
  const [from, to] = [document.offsetAt(range.start), document.offsetAt(range.end)];
  const acl = new AclText(policy.document.getText());
  return findingsOf(policy).flatMap(({ finding: { fix }, diagnostic }): readonly CodeAction[] => {
    const { start, end } = diagnostic.range;
    const [first, last] = [document.offsetAt(start), document.offsetAt(end)];
    const inside = policy.inside(start);
    const rule = inside && acl.ruleAt(policy.document.offsetAt(inside));
    if (!fix || !rule || last < from || first > to) return [];
    const edit = editFor(fix, rule, acl, policy.document);
    // New lines would need the indentation of the heredoc.
    if (policy.isPart && edit.newText.includes('\n')) return [];
    return [
      {
        title: titleOf(fix),
        kind: CodeActionKind.QuickFix,
        diagnostics: [diagnostic],
        isPreferred: true,
        edit: { changes: { [document.uri]: [{ ...edit, range: policy.around(edit.range) }] } },
      },
    ];
  });
}

function titleOf(fix: LintFix): string {
  switch (fix.kind) {
    case 'path':
      return visible(`Write ${JSON.stringify(fix.path)}`);
    case 'grant':
      return visible(`Grant ${JSON.stringify(fix.capability)} on ${JSON.stringify(fix.path)}`);
    case 'remove':
      return 'Remove the rule';
  }
}

function editFor(fix: LintFix, rule: AclBlock, acl: AclText, document: TextDocument): TextEdit {
  const rangeOf = (start: number, end: number) => ({
    start: document.positionAt(start),
    end: document.positionAt(end),
  });
  const text = document.getText();
  switch (fix.kind) {
    case 'path':
      return TextEdit.replace(rangeOf(rule.path.start - 1, rule.path.end + 1), goQuote(fix.path));
    case 'remove': {
      const rest = /^[ \t]*\r?\n?/.exec(text.slice(rule.end))!;
      return TextEdit.del(rangeOf(rule.start, rule.end + rest[0].length));
    }
    case 'grant': {
      const target = acl.rules.find(({ path }) => path.value === fix.path);
      const capability = JSON.stringify(fix.capability);
      if (!target) {
        const block = `path ${goQuote(fix.path)} {\n  capabilities = [${capability}]\n}\n`;
        const lead = text === '' || text.endsWith('\n') ? '\n' : '\n\n';
        return TextEdit.insert(document.positionAt(text.length), lead + block);
      }
      const { capabilities, bodyStart } = target;
      if (!capabilities)
        return TextEdit.insert(document.positionAt(bodyStart), `\n  capabilities = [${capability}]`);
      const last = capabilities.elements.at(-1);
      return last
        ? TextEdit.insert(document.positionAt(last.end + 1), `, ${capability}`)
        : TextEdit.insert(document.positionAt(capabilities.start), capability);
    }
  }
}
