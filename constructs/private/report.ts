import { Annotations, TerraformElement, TerraformStack } from 'cdktf';
import type { IConstruct } from 'constructs';
import type { Phrase } from '../../src/model/messages';
import { appError, inAppLanguage, isForeignApp } from './app-language';
import { placeInApp } from './code-place';
import { invalidProps } from './messages';

/** The variable that is set if the framework's command line shows warnings and errors. */
const COMMAND_LINE = 'CDKTF_CONTINUE_SYNTH_ON_ERROR_ANNOTATIONS';

/**
 * Shows a warning about a construct when the app is synthesized. The framework's command line shows
 * it; without the command line, it is printed.
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

/** Refuses the app because of a construct, when the app is synthesized. */
export function refuse(construct: IConstruct, text: Phrase): void {
  Annotations.of(construct).addError(inAppLanguage(text));
  // In other cases the annotation suffices: the framework ends the synthesis with an error that
  // contains it.
  if (isForeignApp() && process.env[COMMAND_LINE] === undefined) checkAtSynthesis(construct, () => [text]);
}

/** The problems of a construct, with the place in the app's code that causes them. */
interface Check {
  readonly construct: IConstruct;
  readonly trace: Error;
  readonly problems: () => readonly Phrase[];
}

/** The checks of each app, in the order in which its code adds them. */
const CHECKS = new WeakMap<IConstruct, Check[]>();

/**
 * Checks a construct when the app is synthesized. The first check with a finding throws an error
 * with the findings of all checks.
 *
 * @param problems returns the problems of the construct.
 */
export function checkAtSynthesis(construct: IConstruct, problems: () => readonly Phrase[]): void {
  if (isIncomplete(construct)) return;
  addCheck(construct, problems);
  construct.node.addValidation({
    validate: () => {
      isValidating = true;
      const found = problems().map(inAppLanguage);
      isValidating = false;
      if (found.length > 0 && !isCollecting) {
        throw isForeignApp() ? appError(allFindings(construct)) : findingsOfApp(construct);
      }
      return found;
    },
  });
}

/**
 * The constructs that got stand-ins for invalid properties. No further findings about them, or
 * about constructs in them, are reported, because these would be about the stand-ins.
 */
const INCOMPLETE = new WeakSet<IConstruct>();

/** The apps that have refused constructs, and no stack yet that could report them. */
const UNREPORTED = new WeakSet<IConstruct>();

/**
 * Refuses a construct when the app is synthesized, in one error with all other findings of the app.
 *
 * @param trace an error that was created at the place of the problems. Default: the place of this
 * call.
 * @throws Error with the problems if the app is in another language, because the trace of an error
 * at synthesis would not show its code.
 */
export function refuseConstruct(construct: IConstruct, problems: readonly Phrase[], trace?: Error): void {
  if (problems.length === 0 || isIncomplete(construct)) return;
  if (isForeignApp()) throw invalidProps(construct, problems);
  addCheck(construct, () => problems, trace);
  const { root } = construct.node;
  const reporter = isInStack(construct)
    ? construct
    : root.node.findAll().find((each) => TerraformStack.isStack(each));
  if (reporter) reportAtSynthesis(reporter);
  else UNREPORTED.add(root);
}

/**
 * Refuses a construct whose properties cannot be used. The construct gets stand-ins for them, and
 * no further problem of it is reported.
 *
 * @param others the problems of values that were made elsewhere in the app.
 */
export function refuseProps(
  construct: IConstruct,
  problems: readonly Phrase[],
  others: readonly Refusal[] = [],
): void {
  refuseConstruct(construct, problems);
  for (const { problem, trace } of others) refuseConstruct(construct, [problem], trace);
  INCOMPLETE.add(construct);
}

/**
 * Returns an error that ends an app before its synthesis. It contains all other findings up to this
 * point.
 */
export function endOfApp(construct: IConstruct, problems: readonly Phrase[]): Error {
  if (isForeignApp()) return invalidProps(construct, problems);
  addCheck(construct, () => problems);
  return findingsOfApp(construct);
}

/** The problem of a value, with the place in the app's code that made it. */
export interface Refusal {
  readonly problem: Phrase;
  readonly trace: Error;
}

/**
 * Makes a construct in a stack report the constructs that were refused before the app had a stack.
 */
export function reportApp(construct: IConstruct): void {
  const { root } = construct.node;
  if (!UNREPORTED.has(root) || !isInStack(construct)) return;
  UNREPORTED.delete(root);
  reportAtSynthesis(construct);
}

/** Whether a construct, or one around it, got stand-ins for invalid properties. */
export function isIncomplete({ node }: IConstruct): boolean {
  return node.scopes.some((scope) => INCOMPLETE.has(scope));
}

function isInStack({ node }: IConstruct): boolean {
  return node.scopes.some((scope) => TerraformStack.isStack(scope));
}

function reportAtSynthesis(construct: IConstruct): void {
  if (!construct.node.tryFindChild(REFUSED)) new RefusedElement(construct, REFUSED);
}

const REFUSED = 'Refused';

/**
 * An element that throws the findings of the app before anything is written, even if validations
 * are skipped.
 */
class RefusedElement extends TerraformElement {
  public override toTerraform(): never {
    throw findingsOfApp(this);
  }
}

function addCheck(construct: IConstruct, problems: () => readonly Phrase[], trace = new Error()): void {
  const { root } = construct.node;
  const checks = CHECKS.get(root) ?? [];
  CHECKS.set(root, checks);
  checks.push({ construct, problems, trace });
}

/**
 * Returns an error with all findings of an app. If there are several, each begins with its place in
 * the app's code. A construct may be checked several times: each of its findings is shown once.
 */
function findingsOfApp({ node: { root } }: IConstruct): Error {
  const checks = CHECKS.get(root) ?? [];
  const shown = new Set<string>();
  const isNew = (line: string) => shown.size < shown.add(line).size;
  const found = checks
    .map((check) => ({
      trace: check.trace,
      texts: problemsIn(check)
        .map((text) => `[${check.construct.node.path}] ${text}`)
        .filter(isNew),
    }))
    .filter(({ texts }) => texts.length > 0);
  const isOne = found.length === 1;
  const lines = found.flatMap(({ trace, texts }) => {
    const place = isOne ? undefined : placeInApp(trace);
    const prefix = place === undefined ? '' : `${place}: `;
    return texts.map((text) => prefix + text);
  });
  return appError(lines.join('\n'), isOne ? found[0]!.trace : undefined);
}

/**
 * Returns the findings of a check. A check may throw an error because of a fault in another
 * construct: its findings are shown once that fault is corrected.
 */
function problemsIn({ problems }: Check): readonly string[] {
  isValidating = true;
  try {
    return problems().map(inAppLanguage);
  } catch {
    return [];
  } finally {
    isValidating = false;
  }
}

let isValidating = false;
let isCollecting = false;

/**
 * Returns the findings of all checks in the stack of a construct, which the framework runs
 * together.
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
