import type { EventEmitter } from 'node:events';

/** How long to wait for Terraform to connect, and to come back after the last connection closed, in milliseconds. */
const PATIENCE = { first: 60_000, next: 3_000 };
/** How long Terraform may take to hear the last answers, and to say that it is done, in milliseconds. */
const LAST_ANSWERS = { idle: 1_000, busy: 10_000 };

/** What is done before the process ends. */
interface Ending {
  /** Awaited before the process ends, regardless of the cause. */
  readonly cleanUp: () => Promise<void>;
  /**
   * Lets the calls that run come to an end soon.
   *
   * @returns whether there were any.
   */
  readonly stop: () => Promise<boolean>;
}

/** Ends this process when Terraform is gone, even if it could not say so. */
export function endWithTerraform({ cleanUp, stop }: Ending) {
  let ending = false;
  const end = async (): Promise<void> => {
    if (ending) return;
    ending = true;
    await cleanUp();
    process.exit(0);
  };

  // Ctrl-C reaches all processes of a terminal: it is Terraform that decides what it means, and sends StopProvider.
  process.on('SIGINT', () => {});
  process.on('SIGTERM', () => void stopAndEnd());
  process.on('SIGHUP', () => void stopAndEnd());

  /** A system that shuts down stops Terraform as well, which still has to receive the results. */
  async function stopAndEnd(): Promise<void> {
    const wasBusy = await stop();
    if (connections === 0) await end();
    else setTimeout(() => void end(), wasBusy ? LAST_ANSWERS.busy : LAST_ANSWERS.idle);
  }

  let connections = 0;
  let waiting = setTimeout(() => void end(), PATIENCE.first);
  return {
    end,
    /** Told of each connection of Terraform. */
    connected: (connection: EventEmitter): void => {
      connections += 1;
      clearTimeout(waiting);
      connection.on('close', () => {
        connections -= 1;
        if (connections === 0) waiting = setTimeout(() => void end(), PATIENCE.next);
      });
    },
  };
}
