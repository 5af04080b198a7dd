import { Annotations, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { Phrase } from '../../src/model/messages';
import { appError, inAppLanguage, isForeignApp } from './app-language';

/** Set where the errors of a synthesis go to the framework's command line. */
const ERRORS_OF_ANNOTATIONS_WAIT = 'CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS';

/** Shows a warning about a construct when the app is synthesized. */
export function warn(construct: IConstruct, text: Phrase): void {
  Annotations.of(construct).addWarning(inAppLanguage(text));
}

/** Refuses the app, when it is synthesized by the command line, for what is wrong with a construct. */
export function refuse(construct: IConstruct, text: Phrase): void {
  Annotations.of(construct).addError(inAppLanguage(text));
  // The framework's own error about annotations ends with advice as well.
  if (isForeignApp() && process.env[ERRORS_OF_ANNOTATIONS_WAIT] === undefined)
    checkAtSynthesis(construct, () => [text]);
}

/**
 * Checks a construct when the app is synthesized.
 *
 * In an app in another language, the first check that finds something throws what all of them find: the framework's own error
 * ends with advice for JavaScript, where people look for the message.
 *
 * @param problems what is wrong with it.
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

/** What all checks find that the framework runs together with those of a construct. */
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
