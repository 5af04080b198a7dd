export { isResourceOf, ownProvider, upstreamProvider } from './upstream-provider';
export { vaultadminProvider } from './vaultadmin-provider';
