/** The text of a step's outcome, printed after its time; further lines stand below it. */
export type StepResult = string | void;

/** Prints one line a step with the time it took; a failing step ends the story. */
export class Steps {
  private count = 0;

  constructor(title: string) {
    console.log(title);
  }

  readonly step = async (what: string, run: () => Promise<StepResult>): Promise<void> => {
    this.count += 1;
    const started = performance.now();
    const label = `  ${String(this.count).padStart(2)}. ${what}`;
    try {
      const result = await run();
      const outcome = result ? `: ${result.replaceAll('\n', '\n        ')}` : '';
      console.log(`${label} (${seconds(started)})${outcome}`);
    } catch (error) {
      console.log(`${label} (${seconds(started)}): FAILED`);
      throw error instanceof StoryError ? new StoryError(`${what}: ${error.message}`) : error;
    }
  };
}

/** The failure, as a text for the person who runs the story. */
export class StoryError extends Error {}

function seconds(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(1)} s`;
}
