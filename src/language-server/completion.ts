import { CompletionItemKind, TextEdit, type CompletionItem } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { ACL_CAPABILITIES } from '../model';
import { PATH_KEYS } from '../model/acl/path-arguments';
import { VAULT_ENVIRONMENT } from '../model/sentinel';
import { AclText, type QuotedText } from './acl-tokens';
import { endpointsOn, nextSegments, operationsText, parametersOn } from './endpoints';
import { policyAt } from './policy-document';
import { fieldsOf, nameBefore } from './sentinel-names';

/** The arguments of a rule whose value is a list, or a map. */
const LISTS = ['capabilities', 'required_parameters', 'mfa_methods', 'subscribe_event_types'];
const MAPS = ['allowed_parameters', 'denied_parameters'];

/** Returns what can be written at an offset of a document. */
export function completionsAt(document: TextDocument, offset: number): readonly CompletionItem[] {
  const found = policyAt(document, offset);
  if (!found) return [];
  const { language, document: policy, around } = found.policy;
  if (language === 'sentinel') return sentinelCompletions(policy.getText(), found.offset);
  return aclCompletions(policy, found.offset).map((item) =>
    item.textEdit && 'range' in item.textEdit
      ? { ...item, textEdit: { ...item.textEdit, range: around(item.textEdit.range) } }
      : item,
  );
}

function aclCompletions(document: TextDocument, offset: number): readonly CompletionItem[] {
  const acl = new AclText(document.getText());
  const context = acl.at(offset);
  const paths = acl.rules.map(({ path }) => path.value);
  switch (context.kind) {
    case 'top':
      return [{ label: 'path', kind: CompletionItemKind.Keyword, insertText: 'path "' }];
    case 'path':
      return isWithin(context.text, offset) ? pathCompletions(context.text, paths, document, offset) : [];
    case 'argument':
      return PATH_KEYS.map(argumentCompletion);
    case 'value': {
      const { argument, isKey, text } = context;
      if (text && !isWithin(text, offset)) return [];
      const path = acl.ruleAt(offset)?.path.value ?? '';
      if (argument === 'capabilities') return capabilityCompletions(path, paths, text !== undefined);
      const isParameter = argument === 'required_parameters' || (isKey && MAPS.includes(argument));
      return isParameter ? parameterCompletions(path, paths, text !== undefined) : [];
    }
  }
}

function isWithin({ start, end }: QuotedText, offset: number): boolean {
  return start <= offset && offset <= end;
}

function argumentCompletion(label: string): CompletionItem {
  const value = LISTS.includes(label) ? ' = []' : MAPS.includes(label) ? ' = {}' : ' = ';
  const insertText = label === 'control_group' ? `${label} = {}` : label + value;
  return { label, kind: CompletionItemKind.Property, insertText };
}

/** Returns the capabilities, first those that the operations of the path need. */
function capabilityCompletions(
  path: string,
  paths: readonly string[],
  isQuoted: boolean,
): readonly CompletionItem[] {
  const needed = new Set(endpointsOn(path, paths).flatMap(({ capabilities }) => capabilities));
  return ACL_CAPABILITIES.map((label): CompletionItem => {
    const isNeeded = needed.has(label);
    return {
      label,
      kind: CompletionItemKind.EnumMember,
      insertText: isQuoted ? label : JSON.stringify(label),
      sortText: `${isNeeded ? 0 : 1}${label}`,
      ...(isNeeded && { detail: 'needed by an operation of the path' }),
    };
  });
}

function parameterCompletions(
  path: string,
  paths: readonly string[],
  isQuoted: boolean,
): readonly CompletionItem[] {
  return parametersOn(path, paths).map((label) => ({
    label,
    kind: CompletionItemKind.Field,
    insertText: isQuoted ? label : JSON.stringify(label),
  }));
}

/** Returns the segments that may follow the last slash of a path before the cursor. */
function pathCompletions(
  text: QuotedText,
  paths: readonly string[],
  document: TextDocument,
  offset: number,
): readonly CompletionItem[] {
  const written = document.getText().slice(text.start, offset);
  const slash = written.lastIndexOf('/') + 1;
  const before = written.slice(0, slash);
  const others = paths.filter((path) => path !== text.value);
  const range = { start: document.positionAt(text.start + slash), end: document.positionAt(offset) };
  return Array.from(nextSegments(before, others), ([segment, capabilities]) => ({
    label: segment,
    kind: segment.endsWith('/') ? CompletionItemKind.Folder : CompletionItemKind.Value,
    textEdit: TextEdit.replace(range, segment),
    filterText: segment,
    ...(capabilities.length > 0 && { detail: operationsText(capabilities) }),
  }));
}

function sentinelCompletions(text: string, offset: number): readonly CompletionItem[] {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset);
  if (/^\s*import\s+"\w*$/.test(line)) {
    return VAULT_ENVIRONMENT.imports.map((label) => ({ label, kind: CompletionItemKind.Module }));
  }
  const path = nameBefore(text, offset).split('.').slice(0, -1).join('.');
  return fieldsOf(path, text).map((label) => ({ label, kind: CompletionItemKind.Field }));
}
