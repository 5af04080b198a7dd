import { NativeFault } from './value';

/*
 * Lists and maps can be shared: with forty small lists, each of which contains the previous one
 * twice, a walk takes 2^40 steps. Every walk through values counts its steps here, so that it ends.
 */

/** The depth to which lists and maps may nest in functions that walk through them. */
const DEEPEST_DATA = 1000;

/** The number of values that one walk may visit outside of runs. */
const MOST_VALUES = 5_000_000;

/**
 * The number of values that the current run may still visit or, outside of runs, the current walk.
 */
let left = MOST_VALUES;
let most = MOST_VALUES;
let isRunning = false;
/** The milliseconds that the run may take, and the time at which it has to end. */
let time = Infinity;
let deadline = Infinity;

/** The maximum number of characters and elements that a call can read or make in a millisecond. */
const MOST_PER_MILLISECOND = 10_000;
/** The number of visits after which the clock is checked again. */
const VISITS_BETWEEN_LOOKS = 1024;

/** Returns the time at which a run has to end. Without a limit, the clock is not read. */
export function deadlineAfter(milliseconds: number): number {
  return milliseconds === Infinity ? Infinity : performance.now() + milliseconds;
}

/** Returns why a run that exceeds its time is stopped. */
export function overtime(milliseconds: number): string {
  return `the policy was stopped: it takes more than ${milliseconds} ms`;
}

/**
 * Checks the time for a call that is about to read or make some characters or elements, because
 * nothing can interrupt the call.
 *
 * @throws NativeFault if less time is left.
 */
export function takeTime(size: number): void {
  if (deadline === Infinity || performance.now() + size / MOST_PER_MILLISECOND <= deadline) return;
  throw new NativeFault(overtime(time));
}

/** @throws NativeFault if a depth, counted from 0, is too large. */
export function refuseDeeper(depth: number): void {
  if (depth > DEEPEST_DATA)
    throw new NativeFault(`lists and maps are nested more than ${DEEPEST_DATA} levels deep`);
}

/**
 * Counts a value that a walk reaches, at a depth that is counted from 0.
 *
 * @throws NativeFault if the walk must stop.
 */
export function walkTo(depth: number): void {
  if (depth === 0 && !isRunning) left = MOST_VALUES;
  refuseDeeper(depth);
  if (left % VISITS_BETWEEN_LOOKS === 0) takeTime(0);
  if (--left < 0)
    throw new NativeFault(`lists and maps hold more than ${most} values, shared ones counted each time`);
}

/**
 * Counts characters or elements that are about to be read. Sixteen of them count as one value.
 *
 * @throws NativeFault if the run has read too much.
 */
export function lookAt(size: number): void {
  if (!isRunning) return;
  takeTime(size);
  left -= Math.ceil(size / 16 - 0.5);
  if (left < 0) throw new NativeFault('the policy was stopped: it looks at too many characters and elements');
}

/**
 * Counts a calculation that takes as long as a visit to some number of values.
 *
 * @throws NativeFault if the run has calculated too much.
 */
export function calculate(values: number): void {
  if (!isRunning) return;
  left -= values;
  if (left < 0) throw new NativeFault('the policy was stopped: its calculations take too long');
}

/** Limits the number of values that all walks of a run may visit, and its time. */
export function withinWalks<T>(values: number, milliseconds: number, run: () => T): T {
  const before = { left, most, isRunning, time, deadline };
  left = most = values;
  isRunning = true;
  time = milliseconds;
  deadline = deadlineAfter(milliseconds);
  try {
    return run();
  } finally {
    ({ left, most, isRunning, time, deadline } = before);
  }
}
