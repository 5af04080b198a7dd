/*
 * The decisions of RGPs and EGPs, as pure functions:
 *
 *   // once per text
 *   const policy = compilePolicy({ kind: 'egp', name, namespace: '', level, paths, text });
 *   // once per request
 *   const decision = decide([policy, …], facts, { now });
 *   // the server's texts
 *   denialTexts(decision, true);
 *
 * `globalsOf(facts, names)` returns the values that a policy reads as `request`, `token`,
 * `identity`, …; `egpGoverns` decides whether an EGP applies to a request.
 */
export { decide, type Decision, type Verdict } from './decide';
export { egpGoverns } from './egp-paths';
export type * from './request-facts';
export { globalsOf } from './globals';
export { denialTexts } from './messages';
export { compilePolicy, type PolicySource, type SentinelPolicy } from './policy';
export { SentinelLimitError } from '../sentinel';
