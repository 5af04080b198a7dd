import type { TerraformElement } from 'cdktf';
import { isCertainReference } from './certain-reference';
import { argumentOfCode } from './code-arguments';
import { isUnknown } from './known';
import { HAS_WORD, literalText } from './literal-text';
import { checkAtSynthesis } from './report';
import { textInStack } from './stack-text';
import { code, phrase, property, variable, type Phrase } from '../../src/model/messages';

/** A secret that was passed to a construct. */
export interface GivenSecret {
  readonly name: string;
  readonly value: string | undefined;
  /**
   * The name of the secret in messages.
   *
   * @default - its name
   */
  readonly title?: Phrase;
  /**
   * The possible source of a secret that is left out: `the environment of Terraform`.
   *
   * @default - none: it is required
   */
  readonly elsewhere?: string;
}

/**
 * Returns the problems of secrets in the code.
 *
 * @param subject the owner of the secrets, for messages.
 */
export function plainTextProblems(subject: string, secrets: readonly GivenSecret[]): Phrase[] {
  return secrets
    .filter(({ value }) => value !== undefined && !isUnknown(value))
    .map((secret) => phrase`${subject}: ${inPlainText(secret)}`);
}

/**
 * Refuses secrets when the app is synthesized, if they may be in plain text: a reference that
 * resolves to a literal text, a reference beside a text that may be a part of the secret, or a
 * reference to another stack. The framework passes the latter through an output, which is in plain
 * text in the state of the other stack.
 */
export function watchSecrets(
  element: TerraformElement,
  subject: string,
  secrets: readonly GivenSecret[],
): void {
  checkAtSynthesis(element, () =>
    secrets.flatMap((secret) => {
      if (secret.value === undefined) return [];
      const text = textInStack(element, secret.value);
      if (!isReference(text)) return [phrase`${subject}: ${inPlainText(secret)}`];
      if (HAS_WORD.test(literalText(text))) return [phrase`${subject}: ${partlyInPlainText(secret)}`];
      if (!isCertainReference(text)) return [phrase`${subject}: ${perhapsPlainText(secret)}`];
      const argument = argumentOfCode(element, text);
      if (argument !== undefined) return [phrase`${subject}: ${setByCode(secret, argument)}`];
      return text.includes('data.terraform_remote_state.')
        ? [phrase`${subject}: ${ofAnotherStack(secret)}`]
        : [];
    }),
  );
}

const QUOTED_TEXT = /"(?:[^"\\$]|\\.|\$(?!\{))*"/g;
const REFERENCE_OR_FILE = /\w\.\w|\bfile/;

/**
 * Whether Terraform reads a text from somewhere else. A text with only functions of literals
 * contains the secret itself.
 */
function isReference(text: string): boolean {
  return isUnknown(text) && REFERENCE_OR_FILE.test(text.replace(QUOTED_TEXT, ''));
}

const FROM_VARIABLE = code("VaultSecret.fromVariable('name')");

function inPlainText({ name, title = property(name), elsewhere }: GivenSecret): Phrase {
  const otherwise = elsewhere === undefined ? '' : `, or leave it out and set it in ${elsewhere}`;
  return phrase`${title} is in plain text, and would be in the code, in the stack's files and in plans; allowed: a
    reference that Terraform resolves; write ${FROM_VARIABLE} and set ${variable('TF_VAR_name')}${otherwise}`;
}

/**
 * Returns the problem of a text beside a reference: in `user:${var.pin}`, it is unknown whether the
 * literal text is part of the secret.
 */
function partlyInPlainText({ name, title = property(name) }: GivenSecret): Phrase {
  return phrase`${title} contains text in addition to its reference, which would be in the code, in the stack's
    files and in plans; allowed: references that Terraform resolves, with nothing but punctuation between them;
    write the text into the variable of ${FROM_VARIABLE}, or into a separate variable`;
}

/**
 * Returns the problem of an expression. The message does not repeat it, because it may contain the
 * secret itself.
 */
function perhapsPlainText({ name, title = property(name) }: GivenSecret): Phrase {
  return phrase`${title} is an expression that may hold text of the code, which would be in the stack's files and in
    plans; allowed: references such as var.pin, and functions of them such as trimspace(); no files, local values,
    conditions, defaults, patterns or numbers; write ${FROM_VARIABLE} and set ${variable('TF_VAR_name')} to what it
    comes to`;
}

/**
 * Returns the problem of a secret that the code sets in another argument.
 *
 * @param argument such as `vault_policy.ops.name`.
 */
function setByCode({ name, title = property(name) }: GivenSecret, argument: string): Phrase {
  return phrase`${title} refers to ${argument}, which the code sets itself, so that the secret would be in the code,
    in the stack's files and in plans; allowed: a reference to a value from elsewhere; write ${FROM_VARIABLE} and
    set ${variable('TF_VAR_name')}`;
}

function ofAnotherStack({ name, title = property(name) }: GivenSecret): Phrase {
  return phrase`${title} refers to another stack, whose state would hold it in plain text; allowed: a reference
    within the stack; write ${code(`VaultSecret.fromVariable('${name}')`)}, which every stack takes from a variable
    of its own`;
}
