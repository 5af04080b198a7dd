import type { Rule } from '../definition/field';
import { findImbalance } from '../sentinel';
import { documentRule } from './document-rules';

/** Brackets, strings and comments close. The server compiles the document, and is stricter. */
export const SENTINEL_IS_BALANCED: Rule = documentRule('policy-balanced', (text) => {
  const imbalance = findImbalance(text);
  return (
    imbalance && {
      problem: `is no Sentinel document: ${imbalance.problem}`,
      received: JSON.stringify(imbalance.received),
      cure: imbalance.cure,
      position: imbalance.position,
    }
  );
});
