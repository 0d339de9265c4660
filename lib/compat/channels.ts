// Channels on which people read and write, behind one interface (002 P1.6). The prefix of an address names the channel.
// Each message that is sent or received is also an event. A message is untrusted text, so a channel must make it inert
// before it shows it.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import type { AgentEventBus } from "../events/bus.ts";
import { sys } from "../sys/mod.ts";
import { markdownFence, terminalBlock, terminalLine } from "../text/text.ts";

/** A message of a person. It is only text: it never decides anything. */
export interface ChannelMessage {
  /** The address of the message, such as `gh:42`. */
  address: string;
  /** `human`, or the login of the person if the channel knows it. */
  from: string;
  /** The text as the person wrote it: untrusted. */
  text: string;
}

/** A place on which people read and write messages. */
export interface MessageChannel {
  /** The prefix of the channel's addresses, such as `gh:`. */
  readonly prefix: string;
  /** Shows a message at an address. */
  send(address: string, text: string): Promise<void>;
  /** Calls `hear` with each message of a person, until the signal fires or the input ends. */
  receive(hear: (message: ChannelMessage) => void, signal: AbortSignal): Promise<void>;
}

/** Options of {@linkcode ChannelRouter}. */
export interface ChannelRouterOptions {
  /** Receives each message as a `channel-message` event. */
  events: AgentEventBus;
  /** The channels. The first one with the prefix of an address gets the message. */
  channels: readonly MessageChannel[];
}

/** Sends messages to the channel of their address, and receives messages from all channels. */
export class ChannelRouter {
  readonly #options: ChannelRouterOptions;

  /** Makes a router. No channel is used before `send` or `receive`. */
  constructor(options: ChannelRouterOptions) {
    this.#options = options;
  }

  /**
   * Sends a message to an address such as `gh:42`, then emits the event.
   *
   * @throws {AgentxError} `INVALID_INPUT` if no channel has the prefix; also throws the errors of that channel
   */
  async send(address: string, text: string): Promise<void> {
    const { channels } = this.#options;
    const channel = channels.find(({ prefix }) => address.startsWith(prefix));
    if (channel === undefined) {
      const known = channels.map(({ prefix }) => prefix).join(", ");
      throw new AgentxError(
        "INVALID_INPUT",
        `Cannot send to ${quote(address)}: no channel has it`,
        {
          details: { field: "address", value: address },
          next: `Begin the address with one of: ${known}`,
        },
      );
    }
    await channel.send(address, text);
    this.#tell({ address, text }, "outbound");
  }

  /** Receives the messages of all channels until the signal fires. The event comes before the call of `hear`. */
  async receive(hear: (message: ChannelMessage) => void, signal: AbortSignal): Promise<void> {
    await Promise.all(this.#options.channels.map((channel) =>
      channel.receive((message) => {
        this.#tell(message, "inbound");
        hear(message);
      }, signal)
    ));
  }

  #tell(
    { address: channelId, text: content }: Pick<ChannelMessage, "address" | "text">,
    direction: "inbound" | "outbound",
  ): void {
    const timestamp = sys.now();
    this.#options.events.emit("channel-message", { channelId, direction, content, timestamp });
  }
}

/** The input and output of a text channel. */
export interface TextSurface {
  /** Shows text. */
  write(text: string): void;
  /** The lines that the person types; each line is a message. @default {nothing} */
  lines?: AsyncIterable<string>;
}

/** Returns a channel for a terminal, `cli:`. It removes escape sequences from messages. */
export function cliChannel(surface: TextSurface): MessageChannel {
  const show = (text: string) => `${terminalBlock(text, { indent: "  " }).join("\n")}\n`;
  return textChannel("cli:", surface, show);
}

/** Returns a channel for a chat of VS Code, `vsc:`. It puts messages in a Markdown fence. */
export function chatChannel(surface: TextSurface): MessageChannel {
  const show = (text: string) =>
    markdownFence(text.split(/\r?\n/).map((line) => terminalLine(line)));
  return textChannel("vsc:", surface, show);
}

function textChannel(
  prefix: string,
  { write, lines }: TextSurface,
  show: (text: string) => string,
): MessageChannel {
  return {
    prefix,
    send: (_address, text) => Promise.resolve(write(show(text))),
    async receive(hear, signal) {
      for await (const text of lines ?? []) {
        if (signal.aborted) return;
        hear({ address: prefix, from: HUMAN, text });
      }
    },
  };
}
