/** A promise that a test resolves by `open`. A request that a test holds waits for it. */
export interface Latch {
  readonly opened: Promise<void>;
  readonly open: () => void;
}

export function newLatch(): Latch {
  let open = () => {};
  const opened = new Promise<void>((resolve) => (open = resolve));
  return { opened, open };
}
