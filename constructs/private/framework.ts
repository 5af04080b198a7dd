import { App } from 'cdktf';
import type { IConstruct } from 'constructs';
import { mixedFrameworks } from './messages';

const RUN_TIME_TYPE = Symbol.for('jsii.rtti');

/**
 * cdktf and its successor cdktn look alike and cannot be mixed: an app of the one crashes deep in the framework
 * over elements of the other.
 *
 * @throws Error that says how to get along with one of them.
 */
export function requireOneFramework(construct: IConstruct): void {
  const theirs = frameworkOf(construct.node.root.constructor);
  const ours = frameworkOf(App);
  if (theirs && ours && theirs !== ours) throw mixedFrameworks(construct, ours, theirs);
}

/** The package that a class, or the class it extends, was published in. */
function frameworkOf(type: unknown): string | undefined {
  const info = (type as Record<symbol, { fqn?: string } | undefined>)[RUN_TIME_TYPE];
  return info?.fqn?.split('.')[0];
}

/** What the framework calls, of an element, when it writes the stack; its own helper for this is not exported. */
export const CUSTOM_SYNTHESIS = Symbol.for('cdktf/customSynthesis');
