// The messages between the editor and the thread that runs its command lines.

import type { ModelRequest, ModelTurn } from "../agents/language_model.ts";

/** The message that runs a command line. */
export interface RunMessage {
  id: number;
  argv: readonly string[];
  /** Whether a click of a person started the command. */
  isClick: boolean;
  /** The name of the model for the command; left out if there is none. */
  model?: string;
}

/**
 * A message to the thread: a command line, a person's answer, a request to stop a command, a folder to find the
 * workspace of, or a model's response or failure.
 */
export type ToHub =
  | RunMessage
  | { id: number; line: string }
  | { id: number; stop: true }
  | { id: number; folder: string }
  | { id: number; request: number; turn: ModelTurn }
  | { id: number; request: number; failed: string };

/**
 * A message from the thread: a part of the output, a question to the person, a request to the model, a request to
 * stop the model, the end of a command, or a found workspace.
 */
export type FromHub =
  | { id: number; out: string }
  | { id: number; ask: string }
  | { id: number; request: number; asked: Omit<ModelRequest, "signal"> }
  | { id: number; request: number; stop: true }
  | { id: number; code: number; said: string }
  | { id: number; root: string | null; said: string };

/** One end of the connection between editor and thread. */
export interface Port<Sent, Received> {
  send(message: Sent): void;
  receive(listener: (message: Received) => void): void;
}
