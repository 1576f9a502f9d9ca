// An interface of your own: what goes on as server-sent events, and messages to the run, over HTTP.
// Try: flower run examples/06-web-page.ts "tidy up the notes", and open the address that it says.
// It listens on this machine only, and asks for a token: other programs and web pages can reach a local port, too.
import { randomBytes, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import type { AgentSpec, Event, FlowParts, StepResult } from "flower-agent";

const PAGE = `<!doctype html><meta charset="utf-8"><title>flower</title>
<form><input name="words" autofocus><button>send</button></form><pre></pre>
<script>
  const out = document.querySelector("pre"), form = document.querySelector("form");
  const show = { text: (e) => e.text, toolCall: (e) => e.name, ask: (e) => e.question, result: (e) => "done: " + e.text };
  new EventSource("events" + location.search).onmessage = ({ data }) => {
    const event = JSON.parse(data), line = show[event.type]?.(event);
    if (line) out.textContent += line + "\\n";
  };
  form.onsubmit = (event) => {
    event.preventDefault();
    fetch("message" + location.search, { method: "POST", body: form.words.value }), form.reset();
  };
</script>`;

export default async function webPage({ runtime, channel, request }: FlowParts): Promise<StepResult> {
  const token = Buffer.from(randomBytes(24).toString("base64url"));
  const past: Event[] = [];
  const readers = new Set<ServerResponse>();
  const send = (reader: ServerResponse, event: Event) => reader.write(`data: ${JSON.stringify(event)}\n\n`);

  const serve = async (asked: IncomingMessage, reply: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(asked.url ?? "/", "http://127.0.0.1");
    const given = Buffer.from(searchParams.get("token") ?? "");
    if (given.length !== token.length || !timingSafeEqual(given, token)) reply.writeHead(401).end();
    else if (pathname === "/") reply.writeHead(200, { "content-type": "text/html" }).end(PAGE);
    else if (pathname === "/events") {
      reply.writeHead(200, { "content-type": "text/event-stream" });
      for (const event of past) send(reply, event);
      readers.add(reply);
      asked.once("close", () => readers.delete(reply));
    } else if (pathname === "/message" && asked.method === "POST") {
      const words = await text(asked);
      const [open] = channel.pending;
      if (open === undefined) channel.send(words);
      else channel.answer(open.id, words);
      reply.writeHead(204).end();
    } else reply.writeHead(404).end();
  };
  const server = createServer((asked, reply) => void serve(asked, reply).catch(() => reply.destroy()));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const message = `the page is at http://127.0.0.1:${port}/?token=${token.toString()}`;
  runtime.emit("page", { type: "system", level: "info", message });

  // The tools of the channel let the agent ask and read messages.
  const agent: AgentSpec = { name: "page", instructions: "", mcpServers: channel.servers };
  const onEvent = (event: Event) => {
    past.push(event);
    for (const reader of readers) send(reader, event);
  };
  try {
    return await runtime.run(agent, request, { onEvent });
  } finally {
    for (const reader of readers) reader.end();
    server.close();
  }
}
