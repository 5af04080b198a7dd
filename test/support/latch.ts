/** A promise that a test resolves, such as the one that a held request waits for. */
export interface Latch {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export function newLatch(): Latch {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
