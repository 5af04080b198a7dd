export { PROVIDER_ADDRESS, PROVIDER_VERSION } from './about';
export { PROVIDER } from './provider';
