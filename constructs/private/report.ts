import { Annotations, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { Phrase } from '../../src/model/messages';
import { appError, inAppLanguage, isForeignApp } from './app-language';

/** The variable that is set if the framework's command line shows warnings and errors. */
const COMMAND_LINE = 'CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS';

/**
 * Shows a warning about a construct when the app is synthesized: the framework's command line does,
 * and without it nobody else would.
 */
export function warn(construct: IConstruct, text: Phrase): void {
  const shown = inAppLanguage(text);
  Annotations.of(construct).addWarning(shown);
  if (isValidating) printWarning(construct, shown);
  else construct.node.addValidation({ validate: () => printWarning(construct, shown) });
}

const PRINTED = new WeakMap<IConstruct, Set<string>>();

/** Prints a warning once, unless the framework's command line does. */
export function printWarning(construct: IConstruct, text: string): string[] {
  const printed = PRINTED.get(construct) ?? new Set();
  PRINTED.set(construct, printed);
  if (process.env[COMMAND_LINE] === undefined && !printed.has(text))
    console.warn(`Warning: [${construct.node.path}] ${text}`);
  printed.add(text);
  return [];
}

/** Refuses the app because of a construct, when the command line synthesizes it. */
export function refuse(construct: IConstruct, text: Phrase): void {
  Annotations.of(construct).addError(inAppLanguage(text));
  // The framework's own error about annotations ends with advice as well.
  if (isForeignApp() && process.env[COMMAND_LINE] === undefined) checkAtSynthesis(construct, () => [text]);
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
      isValidating = true;
      const found = problems().map(inAppLanguage);
      isValidating = false;
      if (found.length > 0 && isForeignApp() && !isCollecting) throw appError(allFindings(construct));
      return found;
    },
  });
}

let isValidating = false;
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
