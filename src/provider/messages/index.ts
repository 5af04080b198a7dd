export { contentOf, type LocatedMessage, MessageError, withoutAdvice } from './message-error';
export { report, reportFinding } from './report';
