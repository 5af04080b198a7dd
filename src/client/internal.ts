/**
 * The parts of the client that the provider and the command line use. Other programs cannot import
 * them.
 */
export { refusingPolicyIn } from './errors/answer-messages';
export { isSecretToken } from './errors/redact';
export { secretsSentAlong } from './options/client-settings';
export { checkSetting } from './options/setting-checks';
export { USUAL_PREFIX } from './options/client-options';
export { clientOptionsOf, settingsFromEnvironment } from './options/environment';
export { standardProxiesOf } from './options/proxies';
export { tokenFromFile } from './options/token-file';
