export { isUpstreamResourceOf, upstreamProvider } from './upstream-provider';
export { isVaultadminResourceOf, vaultadminProvider } from './vaultadmin-provider';
