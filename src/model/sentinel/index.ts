export { findSentinelFault, type SentinelFault } from './find-fault';
export { VAULT_ENVIRONMENT } from './vault-environment';
