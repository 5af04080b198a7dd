// Not from the index: it loads what evaluates policies, too.
import { faultsOf } from '../../sentinel/check/faults';
import { findingOf, type Finding, SentinelSyntaxError } from '../../sentinel/source/errors';
import { newerFeatures, type LanguageVersion } from '../../sentinel/language/features';
import { parse } from '../../sentinel/parser/parse';
import type { TextPosition } from '../definition/field';
import { VAULT_ENVIRONMENT } from './vault-environment';

/** Why a server cannot run a Sentinel document. */
export interface SentinelFault {
  readonly kind: 'syntax' | 'never-runs' | 'too-new';
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  /** The text that the fault is in, as it is written. */
  readonly received: string;
  readonly cure: string | undefined;
  readonly position: TextPosition;
}

/** A document with this comment in a line of its own is not checked: for a server that knows more than this package. */
const UNCHECKED = /^[ \t]*(?:#|\/\/)[ \t]*vault-admin:[ \t]*unchecked[ \t]*\r?$/m;

/** The first thing that keeps a Sentinel document from running. */
export function findSentinelFault(text: string): SentinelFault | undefined {
  if (UNCHECKED.test(text)) return undefined;
  try {
    const [fault] = faultsOf(parse(text, 'policy'), VAULT_ENVIRONMENT);
    return fault && faultOf('never-runs', fault);
  } catch (error) {
    if (error instanceof SentinelSyntaxError) return faultOf('syntax', findingOf(error));
    throw error;
  }
}

/** The first thing in a Sentinel document that a server does not know yet. One that does not parse is none of its business. */
export function findNewerSentinel(text: string, language: LanguageVersion): SentinelFault | undefined {
  if (UNCHECKED.test(text)) return undefined;
  try {
    const newer = newerFeatures(parse(text, 'policy'), language).find(({ severity }) => severity === 'error');
    return newer && faultOf('too-new', newer);
  } catch (error) {
    if (error instanceof SentinelSyntaxError) return undefined;
    throw error;
  }
}

function faultOf(
  kind: SentinelFault['kind'],
  { severity, problem, hint, source, span }: Finding,
): SentinelFault {
  const { line, column } = source.position(span.start);
  const received = source.lineText(line).trim();
  return { kind, severity, problem, received, cure: hint, position: { line, column } };
}
