import { Annotations } from 'cdktf';
import type { IConstruct } from 'constructs';
import { inAppLanguage } from './app-language';

/** Shows a warning about a construct when the app is synthesized. */
export function warn(construct: IConstruct, text: string): void {
  Annotations.of(construct).addWarning(inAppLanguage(text));
}

/** Refuses the app, when it is synthesized by the command line, for what is wrong with a construct. */
export function refuse(construct: IConstruct, text: string): void {
  Annotations.of(construct).addError(inAppLanguage(text));
}

/** Checks a construct when the app is synthesized. @param problems what is wrong with it. */
export function checkAtSynthesis(construct: IConstruct, problems: () => readonly string[]): void {
  construct.node.addValidation({ validate: () => problems().map(inAppLanguage) });
}
