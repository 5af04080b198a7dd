export { findNewerSentinel, findSentinelFault, type SentinelFault } from './find-fault';
export { OLDEST_WITH_SENTINEL, sentinelOf } from './server-versions';
export { VAULT_ENVIRONMENT } from './vault-environment';
