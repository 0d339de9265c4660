// Turns the results that a command shows one after the other into a stream. Pure.

/** Returns a stream of the steps that `work` shows. The stream ends when `work` ends, and fails if it fails. */
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
  done.catch(() => {}); // thrown below, after all steps that came before the error
  while (true) {
    const isLast = isDone;
    yield* steps.splice(0);
    if (isLast) return await done;
    if (steps.length > 0 || isDone) continue;
    await new Promise<void>((resolve) => wake = resolve);
  }
}
