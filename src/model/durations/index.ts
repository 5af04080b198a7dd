export { DurationError, formatDuration, parseDuration } from './duration';
