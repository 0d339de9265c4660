// The messages between the editor and the thread that runs its command lines.

import type { ModelRequest, ModelTurn } from "../agents/language_model.ts";

/** A command line. */
export interface RunMessage {
  id: number;
  argv: readonly string[];
  /** Whether a person clicked on what runs it. */
  isClick: boolean;
  /** The name of the model that answers for it; left out, there is none. */
  model?: string;
}

/**
 * To the thread: a command line, a person's answer, the end of a command, the folder of a search for a workspace, or a
 * model's answer.
 */
export type ToHub =
  | RunMessage
  | { id: number; line: string }
  | { id: number; stop: true }
  | { id: number; folder: string }
  | { id: number; request: number; turn: ModelTurn }
  | { id: number; request: number; failed: string };

/**
 * From the thread: a part of the result, a question to the person, one to the model, that one is to stop, the end of a
 * command, or a workspace.
 */
export type FromHub =
  | { id: number; out: string }
  | { id: number; ask: string }
  | { id: number; request: number; asked: Omit<ModelRequest, "signal"> }
  | { id: number; request: number; stop: true }
  | { id: number; code: number; said: string }
  | { id: number; root: string | null; said: string };

/** One end of the way between them. */
export interface Port<Sent, Received> {
  send(message: Sent): void;
  receive(listener: (message: Received) => void): void;
}
