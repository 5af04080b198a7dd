export { PROVIDER_ADDRESS, PROVIDER_NAME, PROVIDER_VERSION } from './about';
export { PROVIDER } from './provider';
