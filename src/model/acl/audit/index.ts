export type { Replayed } from './decide';
export { readAuditLine, type AuditedRequest, type PassedOver } from './entry';
export { ReplayedPolicies } from './replay';
export { MOST_PATHS, Uses, type Use } from './uses';
export { writePolicyFor, type WritingOptions, type WrittenPolicy } from './write-policy';
