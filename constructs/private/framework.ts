import { App } from 'cdktf';
import type { IConstruct } from 'constructs';
import { mixedFrameworks } from './messages';

const RUN_TIME_TYPE = Symbol.for('jsii.rtti');

/**
 * Refuses elements of another framework. cdktf and its successor cdktn are similar but cannot be
 * mixed: the framework of an app crashes if it finds elements of the other framework.
 *
 * @throws Error with the way to use only one of them.
 */
export function requireOneFramework(construct: IConstruct): void {
  const theirs = frameworkOf(construct.node.root.constructor);
  const ours = frameworkOf(App);
  if (theirs && ours && theirs !== ours) throw mixedFrameworks(construct, ours, theirs);
}

/** Returns the package that contains a class or the class that it extends. */
function frameworkOf(type: unknown): string | undefined {
  const info = (type as Record<symbol, { fqn?: string } | undefined>)[RUN_TIME_TYPE];
  return info?.fqn?.split('.')[0];
}

/**
 * The method of an element that the framework calls when it writes the stack. The framework does
 * not export its own helper for this.
 */
export const CUSTOM_SYNTHESIS = Symbol.for('cdktf/customSynthesis');
