export { isOlder } from './compare';
export { OLDEST_NODE, OLDEST_TERRAFORM } from './required';
