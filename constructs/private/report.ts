import { Annotations, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { Phrase } from '../../src/model/messages';
import { appError, inAppLanguage, isForeignApp } from './app-language';

/** The variable that is set if the framework's command line shows the errors of a synthesis. */
const ERRORS_OF_ANNOTATIONS_WAIT = 'CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS';

/** Shows a warning about a construct when the app is synthesized. */
export function warn(construct: IConstruct, text: Phrase): void {
  Annotations.of(construct).addWarning(inAppLanguage(text));
}

/** Refuses the app because of a construct, when the command line synthesizes it. */
export function refuse(construct: IConstruct, text: Phrase): void {
  Annotations.of(construct).addError(inAppLanguage(text));
  // The framework's own error about annotations ends with advice as well.
  if (isForeignApp() && process.env[ERRORS_OF_ANNOTATIONS_WAIT] === undefined)
    checkAtSynthesis(construct, () => [text]);
}

/**
 * Checks a construct when the app is synthesized.
 *
 * In an app in another language, the first check with a finding throws the findings of all: the
 * framework's own error ends with advice for JavaScript, where people expect the message.
 *
 * @param problems returns the problems of the construct.
 */
export function checkAtSynthesis(construct: IConstruct, problems: () => readonly Phrase[]): void {
  construct.node.addValidation({
    validate: () => {
      const found = problems().map(inAppLanguage);
      if (found.length > 0 && isForeignApp() && !isCollecting) throw appError(allFindings(construct));
      return found;
    },
  });
}

let isCollecting = false;

/**
 * Returns the findings of all checks that the framework runs together with those of a construct.
 */
function allFindings(construct: IConstruct): string {
  const stack = construct.node.scopes.find((scope) => TerraformStack.isStack(scope));
  isCollecting = true;
  try {
    return (stack?.node.findAll() ?? [construct])
      .flatMap(({ node }) => node.validate().map((text) => (node.path ? `[${node.path}] ${text}` : text)))
      .join('\n');
  } finally {
    isCollecting = false;
  }
}
