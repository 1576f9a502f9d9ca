import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { Notifier } from "../../src/notify/notifier.ts";
import { notifyTargets } from "../../src/notify/targets.ts";

const END = { ok: false, text: "no money left", run: "r1" };

let problems: string[];
let rung: number;
beforeEach(() => {
  problems = [];
  rung = 0;
});

function notifier(
  ways: readonly string[],
  more: { env?: Record<string, string>; deliveryMs?: number } = {},
): Notifier {
  return new Notifier({
    targets: notifyTargets(ways),
    locale: "en",
    workspace: "/w/shop",
    env: { PATH: process.env["PATH"] ?? "" },
    platform: "linux",
    redaction: () => (text) => text,
    bell: () => (rung += 1),
    onProblem: (message) => problems.push(message),
    ...more,
  });
}

async function dir(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), "flower-notify-"));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  return path;
}

/** Keeps what is posted; answers with the status, or never. */
async function server(
  status: number | "never",
): Promise<{ url: string; bodies: unknown[]; close(): Promise<void> }> {
  const bodies: unknown[] = [];
  const listening: Server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8").on("data", (part: string) => (text += part));
    request.on("end", () => {
      bodies.push(JSON.parse(text));
      if (status !== "never") response.writeHead(status, { location: "/elsewhere" }).end();
    });
  });
  await new Promise<void>((resolve) => listening.listen(0, "127.0.0.1", resolve));
  const close = async (): Promise<void> => {
    listening.closeAllConnections();
    await new Promise((resolve) => listening.close(resolve));
  };
  onTestFinished(close);
  const { port } = listening.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/s3cr3t`, bodies, close };
}

describe("Notifier", () => {
  it("gives a command the notice on its input and in its environment, without the person's account", async () => {
    const out = join(await dir(), "out");
    const env = {
      PATH: process.env["PATH"] ?? "",
      OUT: out,
      ANTHROPIC_API_KEY: "planted-key",
      ANTHROPIC_AUTH_TOKEN: "planted-token",
      FLOWER_NOTIFY: "webhook:https://x/planted",
    };
    const told = notifier(['command:{ cat; env; } > "$OUT"'], { env });
    told.ended(END);
    await told.settle();
    const [json = "", ...variables] = (await readFile(out, "utf8")).split("\n");
    expect(JSON.parse(json)).toMatchObject({ v: 1, event: "failed", text: "no money left", run: "r1" });
    expect(variables).toContain("FLOWER_EVENT=failed");
    expect(variables.join("\n")).not.toContain("planted");
    expect(problems).toEqual([]);
  });

  it("posts to a webhook and rings the bell", async () => {
    const { url, bodies } = await server(204);
    const told = notifier([`webhook:${url}`, "bell"]);
    told.ended(END);
    await told.settle();
    expect(bodies).toEqual([expect.objectContaining({ event: "failed", text: "no money left" })]);
    expect(rung).toBe(1);
    expect(problems).toEqual([]);
  });

  it.each([
    [404, "HTTP 404"],
    [302, "HTTP 302"],
  ])("says once that a webhook answers %i, naming its host alone", async (status, why) => {
    const { url, bodies } = await server(status);
    const told = notifier([`webhook:${url}`]);
    told.ended(END);
    told.ended(END);
    await told.settle();
    expect(bodies).toHaveLength(2);
    expect(problems).toEqual([`notification by webhook (${new URL(url).host}) failed: ${why}`]);
  });

  it("names a server that is not there by its code", async () => {
    const { url, close } = await server(200);
    await close();
    const told = notifier([`webhook:${url}`]);
    told.ended(END);
    await told.settle();
    expect(problems).toEqual([`notification by webhook (${new URL(url).host}) failed: ECONNREFUSED`]);
  });

  it.each([
    ["command:exit 3", { PATH: process.env["PATH"] ?? "" }, "notification by command failed: exit 3"],
    ["desktop", { PATH: "/nowhere" }, "notification by desktop failed: notify-send is not installed"],
  ])("says why %s failed", async (way, env, problem) => {
    const told = notifier([way], { env });
    told.ended(END);
    await told.settle();
    expect(problems).toEqual([problem]);
  });

  it("ends what takes too long, with its processes, at the end of a run", async () => {
    const { url } = await server("never");
    const pidFile = join(await dir(), "pid");
    const env = { PATH: process.env["PATH"] ?? "", PID_FILE: pidFile };
    const told = notifier([`webhook:${url}`, 'command:sleep 300 & echo $! > "$PID_FILE"; wait'], { env });
    told.ended(END);
    await expect.poll(async () => readFile(pidFile, "utf8").catch(() => "")).toMatch(/^\d+\n$/);
    await told.settle(1);
    expect(problems.toSorted()).toEqual([
      "notification by command failed: no answer in time",
      `notification by webhook (${new URL(url).host}) failed: no answer in time`,
    ]);
    const pid = Number(await readFile(pidFile, "utf8"));
    await expect.poll(async () => running(pid)).toBe(false);
  });

  it("ends a slow delivery by itself while the run goes on", async () => {
    const { url } = await server("never");
    const told = notifier([`webhook:${url}`], { deliveryMs: 1 });
    told.ended(END);
    await expect.poll(() => problems).toHaveLength(1);
  });
});

/** A killed process may be left as a zombie where nobody waits for orphans. */
async function running(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  return stat !== "" && !/\) Z /.test(stat);
}
