export { TOTP_METHOD } from './totp-method';
