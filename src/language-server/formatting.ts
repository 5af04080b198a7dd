import { TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { AclPolicyError, parseAclPolicy } from '../model';
import { formatAcl } from '../policy/format-acl';
import { format, SentinelSyntaxError } from '../sentinel';
import { LONGEST_DOCUMENT, nameOf, policiesIn } from './policy-document';

/** Returns the edits that write a document in the layout of `policy fmt`: none if it is invalid. */
export function formattingOf(document: TextDocument): readonly TextEdit[] {
  const text = document.getText();
  const formatted = formattedText(document, text);
  if (formatted === undefined || formatted === text) return [];
  const all = { start: { line: 0, character: 0 }, end: document.positionAt(text.length) };
  return [TextEdit.replace(all, formatted)];
}

function formattedText(document: TextDocument, text: string): string | undefined {
  const [policy] = policiesIn(document);
  if (!policy || policy.isPart || text.length > LONGEST_DOCUMENT) return undefined;
  try {
    if (policy.language === 'sentinel') return format(text, nameOf(document));
    parseAclPolicy(text);
    return text.trimStart().startsWith('{') ? undefined : formatAcl(text);
  } catch (error) {
    if (error instanceof SentinelSyntaxError || error instanceof AclPolicyError) return undefined;
    throw error;
  }
}
