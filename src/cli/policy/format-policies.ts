import { existsSync, writeFileSync } from 'node:fs';
import { AclPolicyError, describeFault, parseAclPolicy } from '../../model/acl';
import { format, SentinelSyntaxError } from '../../sentinel';
import { beginningOf } from '../../policy/acl-files';
import { readStandardInput } from '../../policy/text-file';
import { visible } from '../../text';
import { UserError } from '../errors';
import { readNamed } from '../named-files';
import { EXIT, type ExitCode } from '../exit-codes';
import { printContent, printError, printLines, type Output } from '../output/print';
import { formatAcl } from '../../policy/format-acl';
import { isInRevision } from './sources/git-revision';
import { policyTexts, type NamedPolicyText } from './policy-texts';
import { placeText, unreadableText } from './sources/policy-source';

export interface FormatPoliciesFlags {
  readonly check?: boolean;
}

const STDIN = '-';
/**
 * Matches texts with which no Sentinel policy begins: a rule, perhaps after the policy's name, or
 * JSON.
 */
const ACL_BEGINNING = /^(?:\{|(?:name\s*=\s*"[^"\n]*"\s+)?"?path"?\s*")/;

/** Writes policies in the canonical layout, or lists those that are not in this layout. */
export function formatPolicies(
  paths: readonly string[],
  flags: FormatPoliciesFlags,
  output: Output,
): ExitCode {
  if (paths.length === 1 && paths[0] === STDIN) {
    const text = readNamed('standard input', () => readStandardInput());
    const policy = {
      name: 'stdin',
      kind: ACL_BEGINNING.test(beginningOf(text)) ? 'acl' : 'sentinel',
      text,
      isFile: false,
    } as const;
    const result = formatted(policy);
    if (!flags.check) {
      printContent(output, result);
      return EXIT.ok;
    }
    if (result === text) return EXIT.ok;
    printLines(output, [policy.name]);
    return EXIT.problems;
  }
  const written = flags.check ? undefined : paths.find((path) => !existsSync(path) && isInRevision(path));
  if (written !== undefined) {
    throw new UserError({
      summary: `${visible(written)} is a revision, which cannot be changed`,
      cures: 'add --check, which only lists the policies that are not in the canonical layout',
    });
  }
  let isFaulty = false;
  const changed = policyTexts(paths).filter((policy) => {
    try {
      const text = formatted(policy);
      if (text === policy.text) return false;
      if (!flags.check) writeFileSync(policy.name, text);
      return true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      isFaulty = true;
      printError(error.message);
      return false;
    }
  });
  printLines(
    output,
    changed.map(({ name }) => name),
  );
  if (isFaulty) return EXIT.usage;
  return flags.check && changed.length > 0 ? EXIT.problems : EXIT.ok;
}

function formatted({ name, kind, text, unreadable }: NamedPolicyText): string {
  if (unreadable !== undefined) throw new UserError(`${visible(name)}: ${unreadableText(unreadable)}`);
  try {
    if (kind === 'sentinel') return format(text, visible(name));
    parseAclPolicy(text);
    return text.trimStart().startsWith('{') ? text : formatAcl(text);
  } catch (error) {
    if (error instanceof SentinelSyntaxError) throw new UserError(error.describe());
    if (!(error instanceof AclPolicyError)) throw error;
    const { position, problem, cure } = describeFault(error, text);
    throw new UserError({
      summary: visible(`${placeText(name, position)}: ${problem}`),
      cures: visible(cure),
    });
  }
}
