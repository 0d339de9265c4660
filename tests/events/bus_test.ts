import { assertEquals } from "@std/assert";
import { AgentEventBus, EVENT_NAMES } from "../../lib/events/bus.ts";

function started(agent: string) {
  return { agent, timestamp: 1 };
}

/** A bus with the names of the agents that a listener hears start. */
function listening() {
  const bus = new AgentEventBus();
  const heard: string[] = [];
  const hear = ({ agent }: { agent: string }) => void heard.push(agent);
  return { bus, heard, hear };
}

Deno.test("EVENT_NAMES has the 18 names of the documents", () => {
  assertEquals(EVENT_NAMES.length, 18);
  assertEquals(EVENT_NAMES.filter((name) => name.startsWith("clarification-")).length, 5);
});

Deno.test("AgentEventBus.on() hears every event of its name until it is stopped", () => {
  const { bus, heard, hear } = listening();
  const stop = bus.on("agent-started", hear);
  bus.emit("agent-started", started("a"));
  bus.emit("agent-completed", { ...started("b"), durationMs: 1 });
  bus.emit("agent-started", started("c"));
  stop();
  stop();
  bus.emit("agent-started", started("d"));
  assertEquals(heard, ["a", "c"]);
});

Deno.test("AgentEventBus.on() keeps two subscriptions of one listener apart", () => {
  const { bus, heard, hear } = listening();
  const stop = bus.on("agent-started", hear);
  bus.on("agent-started", hear);
  stop();
  bus.emit("agent-started", started("a"));
  assertEquals(heard, ["a"]);
});

Deno.test("AgentEventBus.once() hears one event, also when it causes another itself", () => {
  const { bus, heard, hear } = listening();
  bus.once("agent-started", (payload) => {
    hear(payload);
    bus.emit("agent-started", started("b"));
  });
  bus.emit("agent-started", started("a"));
  assertEquals(heard, ["a"]);
});

Deno.test("AgentEventBus.once() can be stopped before it hears anything", () => {
  const { bus, heard, hear } = listening();
  bus.once("agent-started", hear)();
  bus.emit("agent-started", started("a"));
  assertEquals(heard, []);
});

Deno.test("AgentEventBus.emit() tells the others when a listener throws", () => {
  const { bus, heard, hear } = listening();
  bus.on("agent-started", () => {
    throw new Error("mine");
  });
  bus.on("agent-started", hear);
  bus.emit("agent-started", started("a"));
  assertEquals(heard, ["a"]);
});

Deno.test("AgentEventBus.emit() reports what listeners throw, now or later", async () => {
  const errors: unknown[] = [];
  const bus = new AgentEventBus({ onListenerError: (error, name) => errors.push(error, name) });
  bus.on("agent-started", () => {
    throw "now";
  });
  bus.once("agent-started", () => Promise.reject("later"));
  bus.emit("agent-started", started("a"));
  await Promise.resolve();
  assertEquals(errors, ["now", "agent-started", "later", "agent-started"]);
});

Deno.test("AgentEventBus.emit() does not run a listener that was added meanwhile", () => {
  const { bus, heard, hear } = listening();
  bus.once("agent-started", () => void bus.on("agent-started", hear));
  bus.emit("agent-started", started("a"));
  assertEquals(heard, []);
  bus.emit("agent-started", started("b"));
  assertEquals(heard, ["b"]);
});

Deno.test("AgentEventBus.emit() does not run a listener that was removed meanwhile", () => {
  const { bus, heard, hear } = listening();
  bus.on("agent-started", () => stop());
  const stop = bus.on("agent-started", hear);
  bus.emit("agent-started", started("a"));
  assertEquals(heard, []);
});

Deno.test("AgentEventBus.clear() forgets the listeners and history of one name", () => {
  const { bus, heard, hear } = listening();
  bus.on("agent-started", hear);
  bus.on("agent-error", hear);
  bus.emit("agent-started", started("a"));
  bus.emit("agent-error", { ...started("b"), error: "x" });
  bus.clear("agent-started");
  bus.emit("agent-started", started("c"));
  bus.emit("agent-error", { ...started("d"), error: "x" });
  assertEquals(heard, ["a", "b", "d"]);
  assertEquals(bus.getHistory().map(({ name }) => name), [
    "agent-error",
    "agent-started",
    "agent-error",
  ]);
});

Deno.test("AgentEventBus.clear() forgets everything, also in the middle of an event", () => {
  const { bus, heard, hear } = listening();
  bus.on("agent-started", () => bus.clear());
  bus.on("agent-started", hear);
  bus.emit("agent-started", started("a"));
  assertEquals(heard, []);
  assertEquals(bus.getHistory(), []);
});

Deno.test("AgentEventBus.getHistory() gives the last 200 events, the oldest first", () => {
  const bus = new AgentEventBus();
  for (let i = 0; i < 250; i++) bus.emit("agent-started", started(String(i)));
  const history = bus.getHistory("agent-started");
  assertEquals(history.length, 200);
  assertEquals([history[0].payload.agent, history[199].payload.agent], ["50", "249"]);
});

Deno.test("AgentEventBus.getHistory() gives the events of one name", () => {
  const bus = new AgentEventBus();
  bus.emit("agent-started", started("a"));
  bus.emit("agent-error", { ...started("b"), error: "x" });
  assertEquals(bus.getHistory("agent-error"), [
    { name: "agent-error", payload: { ...started("b"), error: "x" } },
  ]);
});

Deno.test("AgentEventBus.getHistory() gives a list of its own", () => {
  const bus = new AgentEventBus();
  bus.emit("agent-started", started("a"));
  bus.getHistory().pop();
  assertEquals(bus.getHistory().length, 1);
});
