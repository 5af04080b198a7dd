export { isOlder, OLDEST_NODE, OLDEST_TERRAFORM } from './versions';
