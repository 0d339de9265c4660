// Whole processes, as a person or a host starts them.

export interface RunOptions {
  cwd?: string;
  /** What it reads from standard input; it is closed at once otherwise. */
  input?: string;
  /** Its whole environment. */
  env?: Record<string, string>;
  /** Ends it, which counts as a failure. */
  signal?: AbortSignal;
}

/** Runs a program to its end. Throws if it fails. */
export async function run(
  program: string,
  args: readonly string[],
  { cwd, input = "", env, signal }: RunOptions = {},
): Promise<string> {
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    clearEnv: env !== undefined,
    env,
    signal,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A program that reads nothing may have ended.
  await writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const { success, stdout, stderr } = await child.output();
  if (!success) throw new Error(new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout);
}

/** Runs a script under Deno. */
export async function runDeno(args: readonly string[], options?: RunOptions): Promise<string> {
  return await run(Deno.execPath(), ["run", "-A", "--quiet", "--no-check", ...args], options);
}
