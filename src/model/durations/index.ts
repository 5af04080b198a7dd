export { formatDuration, parseDuration } from './duration';
