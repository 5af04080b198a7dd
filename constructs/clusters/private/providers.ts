export { isResourceOf, upstreamProvider } from './upstream-provider';
export { vaultadminProvider } from './vaultadmin-provider';
