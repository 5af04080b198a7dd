/*
 * The decisions of RGPs and EGPs, as pure functions:
 *
 *   const policy = compilePolicy({ kind: 'egp', name, namespace: '', level, paths, text });   // once per text
 *   const decision = decide([policy, …], facts, { now });                                     // once per request
 *   denialTexts(decision, true)                                                               // the server's words
 *
 * `globalsOf(facts, names)` is what a policy reads as `request`, `token`, `identity`, …; `egpGoverns` tells which
 * requests an EGP is asked about.
 */
export { decide, type Decision, type Verdict } from './decide';
export { egpGoverns } from './egp-paths';
export type * from './facts';
export { globalsOf } from './globals';
export { denialTexts } from './messages';
export { compilePolicy, type PolicySource, type SentinelPolicy } from './policy';
export { SentinelLimitError } from '../sentinel';
