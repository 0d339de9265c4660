// Surfaces on which people read and write, behind one interface (002 P1.6). The prefix of an address names the channel; each
// message that goes out or comes in is an event. A message is text of others: a channel makes it inert where it shows.

import { HUMAN } from "../base/agent_names.ts";
import { AgentxError } from "../base/errors.ts";
import { quote } from "../base/quote.ts";
import type { AgentEventBus } from "../events/bus.ts";
import { sys } from "../sys/mod.ts";
import { markdownFence, terminalBlock, terminalLine } from "../text/text.ts";

/** A message of a person. It decides nothing. */
export interface ChannelMessage {
  /** Where, such as `gh:42`. */
  address: string;
  /** `human`, or the login where the channel knows it. */
  from: string;
  /** As it was written: untrusted. */
  text: string;
}

/** A surface on which people read and write. */
export interface MessageChannel {
  /** The prefix of its addresses, such as `gh:`. */
  readonly prefix: string;
  /** Shows a message. */
  send(address: string, text: string): Promise<void>;
  /** Hands on what people write, until the signal or the end of its input. */
  receive(hear: (message: ChannelMessage) => void, signal: AbortSignal): Promise<void>;
}

/** Options of {@linkcode ChannelRouter}. */
export interface ChannelRouterOptions {
  /** Tells each message, as `channel-message`. */
  events: AgentEventBus;
  /** The first one with the prefix of an address gets its message. */
  channels: readonly MessageChannel[];
}

/** Sends a message to the channel of its address, and hears all channels. */
export class ChannelRouter {
  readonly #options: ChannelRouterOptions;

  /** Opens nothing. */
  constructor(options: ChannelRouterOptions) {
    this.#options = options;
  }

  /**
   * Sends a message to an address such as `gh:42`; the event follows.
   *
   * @throws {AgentxError} `INVALID_INPUT` where no channel has such addresses; and as that channel does
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

  /** Hears what people write, until the signal; the event comes first. */
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

/** How a surface of text is reached. */
export interface TextSurface {
  /** Shows text. */
  write(text: string): void;
  /** The person's lines, a message each. @default {nothing} */
  lines?: AsyncIterable<string>;
}

/** A terminal, `cli:`; no escape sequence of a message reaches it. */
export function cliChannel(surface: TextSurface): MessageChannel {
  const show = (text: string) => `${terminalBlock(text, { indent: "  " }).join("\n")}\n`;
  return textChannel("cli:", surface, show);
}

/** A chat of VS Code, `vsc:`; a message stands in a fence of Markdown. */
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
