// The results of a command that come one after the other. Pure.

/** Turns what `work` shows into a stream that ends, or fails, with it. */
export async function* stepsOf<Step>(
  work: (show: (step: Step) => void) => Promise<void>,
): AsyncGenerator<Step> {
  const steps: Step[] = [];
  let wake = () => {};
  let isDone = false;
  const done = work((step) => {
    steps.push(step);
    wake();
  }).finally(() => {
    isDone = true;
    wake();
  });
  done.catch(() => {}); // thrown below, after the steps that came before it
  while (true) {
    const isLast = isDone;
    yield* steps.splice(0);
    if (isLast) return await done;
    if (steps.length > 0 || isDone) continue;
    await new Promise<void>((resolve) => wake = resolve);
  }
}
