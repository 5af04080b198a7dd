export { DurationError, formatDuration, parseDuration, tryParseDuration } from './duration';
