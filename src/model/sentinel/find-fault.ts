// This imports one file, because the index would also load the evaluator.
import { faultsOf } from '../../sentinel/check/faults';
import { findingOf, type SentinelFinding, SentinelSyntaxError } from '../../sentinel/source/errors';
import { newerFeatures, type LanguageVersion } from '../../sentinel/language/features';
import { parse } from '../../sentinel/parser/parse';
import type { TextPosition } from '../definition/field';
import { VAULT_ENVIRONMENT } from './vault-environment';

/** The reason why a server cannot run a Sentinel document. */
export interface SentinelFault {
  readonly kind: 'syntax' | 'never-runs' | 'too-new';
  readonly severity: 'error' | 'warning';
  readonly problem: string;
  /** The part of the source text with the fault. */
  readonly received: string;
  readonly cure: string | undefined;
  readonly position: TextPosition;
}

/**
 * Matches a comment that excludes a document from checks, for servers that know more than this
 * package. It must be in a line of its own.
 */
const UNCHECKED = /^[ \t]*(?:#|\/\/)[ \t]*vault-admin:[ \t]*unchecked[ \t]*\r?$/m;

/** Returns the first fault that keeps a Sentinel document from running. */
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

/**
 * Returns the first part of a Sentinel document that a server does not know yet. Documents that
 * cannot be parsed are not examined: {@link findSentinelFault} reports them.
 */
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
  { severity, problem, hint, source, span }: SentinelFinding,
): SentinelFault {
  const { line, column } = source.position(span.start);
  const received = source.lineText(line).trim();
  return { kind, severity, problem, received, cure: hint, position: { line, column } };
}
