import { EXIT, type ExitCode } from '../exit-codes';
import { printPicture } from '../output/picture';
import type { PictureFormat } from '../output/picture-formats';
import { pictureOfPlan } from './picture-of-plan';
import { changesInPlan } from '../plan/read-plan';
import { setsIn } from './sets-in-plan';

export interface PlanPictureFlags {
  readonly format: PictureFormat;
}

/**
 * Prints a picture of a plan's changes of replication sets.
 *
 * @returns the exit code.
 */
export function drawPlan(plan: string, { format }: PlanPictureFlags): ExitCode {
  const sets = setsIn(changesInPlan(plan));
  if (sets.length > 0) printPicture(process.stdout, pictureOfPlan(sets), format);
  return EXIT.ok;
}
