export { pair, type Assumed } from './draft';
export { happened, withExpiredTokens, type Event } from './events';
export {
  READS,
  type Answer,
  type HealthData,
  type Request,
  type RequestKind,
  type StatusData,
  type Token,
} from './requests';
export { step, type Sent, type Stepped } from './step';
export * from './world';
