import { execFile, execFileSync, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { connect, type AddressInfo } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it } from "vitest";
import { readReply, type Trial } from "../../src/runtime/trial-reply.ts";
import { trialModel, tryEndpoint } from "../../src/runtime/try-endpoint.ts";
import { tempDirs } from "../workbench/temp-dir.ts";

const BUILT = new URL("../../dist/runtime/try-endpoint.js", import.meta.url).href;

const tempDir = tempDirs();
const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections();
});

async function listen(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return (server.address() as AddressInfo).port;
}

const MESSAGE = JSON.stringify({ type: "message", content: [] });
const says: RequestListener = (_, response) => void response.end(MESSAGE);
const error = (message: string): string => JSON.stringify({ type: "error", error: { message } });

describe("readReply", () => {
  it.each<[string, number, string, Trial]>([
    ["a message", 200, MESSAGE, { kind: "works", model: "m" }],
    ["another API", 200, '{"choices":[]}', { kind: "notMessages", status: 200 }],
    ["a page", 200, "<html>", { kind: "notMessages", status: 200 }],
    ["nothing", 200, "", { kind: "notMessages", status: 200 }],
    ["a wrong key", 401, error("invalid x-api-key"), { kind: "refusedKey", status: 401 }],
    ["a wrong key, without words", 401, "", { kind: "refusedKey", status: 401 }],
    ["no right to it", 403, error("forbidden"), { kind: "refusedKey", status: 403 }],
    ["a firewall", 403, "<html>no", { kind: "refused", status: 403, detail: "" }],
    ["the API's unknown model", 404, error("model: m"), { kind: "unknownModel", model: "m" }],
    [
      "Ollama's",
      404,
      error('model "m" not found, try pulling it first'),
      { kind: "unknownModel", model: "m" },
    ],
    ["LiteLLM's", 400, error("Invalid model name passed in model=m"), { kind: "unknownModel", model: "m" }],
    ["vLLM's", 404, '{"message":"The model `m` does not exist."}', { kind: "unknownModel", model: "m" }],
    ["no such path", 404, "404 page not found", { kind: "notMessages", status: 404 }],
    ["no such path, in JSON", 404, '{"detail":"Not Found"}', { kind: "notMessages", status: 404 }],
    ["no such method", 405, "", { kind: "notMessages", status: 405 }],
    ["no credit", 400, error("Your credit balance is too low"), { kind: "noCredit" }],
    ["no credit, by status", 402, "", { kind: "noCredit" }],
    ["too many", 429, error("rate limit"), { kind: "limited", detail: "rate limit" }],
    ["overloaded", 529, error("Overloaded"), { kind: "busy", status: 529 }],
    ["a broken gateway", 502, "<html>", { kind: "busy", status: 502 }],
    [
      "another complaint",
      400,
      error("max_tokens: too small"),
      { kind: "refused", status: 400, detail: "max_tokens: too small" },
    ],
    ["JSON that is no object", 400, "[1]", { kind: "refused", status: 400, detail: "" }],
    [
      "a long complaint",
      400,
      error("x".repeat(999)),
      { kind: "refused", status: 400, detail: "x".repeat(200) },
    ],
    ["a proxy that wants a password", 407, "", { kind: "proxyRefuses", status: 407 }],
  ])("%s", (_, status, body, expected) => {
    expect(readReply({ status, body, model: "m" })).toEqual(expected);
  });

  it("names where a redirect leads", () => {
    const location = "https://login.example";
    expect(readReply({ status: 302, body: "", model: "m", location })).toEqual({
      kind: "redirects",
      location,
    });
  });
});

describe("trialModel", () => {
  it.each([
    [{}, "claude-haiku-4-5"],
    [{ ANTHROPIC_MODEL: "glm" }, "glm"],
    [{ ANTHROPIC_MODEL: "claude-opus-5[1m]" }, "claude-opus-5"],
    [{ ANTHROPIC_MODEL: "opus" }, "claude-haiku-4-5"],
    [{ ANTHROPIC_MODEL: "opus[1m]", ANTHROPIC_DEFAULT_OPUS_MODEL: "big[1m]" }, "big"],
    [{ ANTHROPIC_MODEL: "opusplan" }, "claude-haiku-4-5"],
  ])("%j → %s", (env, model) => expect(trialModel(env)).toBe(model));
});

describe("tryEndpoint", () => {
  it("asks for one token with both credentials, below the base URL's path", async () => {
    const seen: Array<{ request: IncomingMessage; body: string }> = [];
    const port = await listen(
      createServer((request, response) => {
        let body = "";
        request.on("data", (chunk: Buffer) => (body += chunk.toString()));
        request.on("end", () => {
          seen.push({ request, body });
          response.end(MESSAGE);
        });
      }),
    );
    const env = {
      ANTHROPIC_BASE_URL: `http://127.0.0.1:${port}/gate/`,
      ANTHROPIC_AUTH_TOKEN: "tok",
      ANTHROPIC_API_KEY: "key",
    };
    expect(await tryEndpoint({ ...env, ANTHROPIC_MODEL: "m" })).toEqual({ kind: "works", model: "m" });
    const [{ request, body } = { request: undefined, body: "" }] = seen;
    expect(request).toMatchObject({
      method: "POST",
      url: "/gate/v1/messages",
      headers: { authorization: "Bearer tok", "x-api-key": "key", "anthropic-version": "2023-06-01" },
    });
    expect(JSON.parse(body)).toMatchObject({ model: "m", max_tokens: 1 });
    expect(seen).toHaveLength(1);
  });

  it("says what is in the way", async () => {
    const free = createServer();
    const port = await listen(free);
    await new Promise((resolve) => free.close(resolve));
    const at = (url: string) => tryEndpoint({ ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: "k" });
    expect(await at(`http://127.0.0.1:${port}`)).toEqual({ kind: "unreachable", detail: "ECONNREFUSED" });
    const silent = await listen(createServer(() => undefined));
    const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${silent}` };
    expect(await tryEndpoint(env, { timeoutMs: 50 })).toMatchObject({ kind: "silent" });
    const plain = await listen(createServer(says));
    expect(await at(`https://127.0.0.1:${plain}`)).toMatchObject({ kind: "unreachable" });
  });

  it("goes through a proxy to an http address, with its password", async () => {
    const seen: IncomingMessage[] = [];
    const port = await listen(
      createServer((request, response) => (seen.push(request), response.end(MESSAGE))),
    );
    const env = {
      ANTHROPIC_BASE_URL: "http://gateway.example/x",
      HTTP_PROXY: `http://me:p%40ss@127.0.0.1:${port}`,
    };
    expect(await tryEndpoint(env)).toMatchObject({ kind: "works" });
    expect(seen[0]).toMatchObject({
      url: "http://gateway.example/x/v1/messages",
      headers: {
        host: "gateway.example",
        "proxy-authorization": `Basic ${Buffer.from("me:p@ss").toString("base64")}`,
      },
    });
  });

  it("says when the proxy refuses the tunnel", async () => {
    const proxy = createServer();
    proxy.on("connect", (_, socket) => socket.end("HTTP/1.1 403 Forbidden\r\n\r\n"));
    const env = { HTTPS_PROXY: `127.0.0.1:${await listen(proxy)}`, ANTHROPIC_API_KEY: "k" };
    expect(await tryEndpoint(env)).toEqual({ kind: "proxyRefuses", status: 403 });
  });

  it.skipIf(spawnSync("openssl", ["version"]).status !== 0)(
    "speaks TLS through the tunnel, and says when a certificate is not trusted",
    async () => {
      const dir = tempDir();
      const [key, cert] = [join(dir, "key"), join(dir, "cert")];
      const make = [
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-days",
        "2",
      ];
      execFileSync(
        "openssl",
        [
          ...make,
          "-subj",
          "/CN=gateway.example",
          "-addext",
          "subjectAltName=DNS:gateway.example",
          "-keyout",
          key,
          "-out",
          cert,
        ],
        {
          stdio: "ignore",
        },
      );
      const hosts: unknown[] = [];
      const tls = createTlsServer(
        { key: readFileSync(key), cert: readFileSync(cert) },
        (request, response) => {
          hosts.push(request.headers.host);
          says(request, response);
        },
      );
      const port = await listen(tls);
      const targets: string[] = [];
      const proxy = createServer();
      proxy.on("connect", ({ url = "" }, socket) => {
        targets.push(url);
        const upstream = connect(port, "127.0.0.1", () => {
          socket.write("HTTP/1.1 200 OK\r\n\r\n");
          upstream.pipe(socket).pipe(upstream);
        });
        for (const end of [upstream, socket]) end.on("error", () => undefined);
      });
      const env = {
        ANTHROPIC_BASE_URL: "https://gateway.example",
        HTTPS_PROXY: `http://127.0.0.1:${await listen(proxy)}`,
      };
      expect(await tryEndpoint(env)).toEqual({ kind: "certificate", detail: "DEPTH_ZERO_SELF_SIGNED_CERT" });
      expect(targets).toEqual(["gateway.example:443"]);
      const code = `console.log(JSON.stringify(await (await import(${JSON.stringify(BUILT)})).tryEndpoint(${JSON.stringify(env)})))`;
      const trusting = { env: { ...process.env, NODE_EXTRA_CA_CERTS: cert } };
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ["--input-type=module", "-e", code],
        trusting,
      );
      expect(JSON.parse(stdout)).toMatchObject({ kind: "works" });
      expect(hosts).toEqual(["gateway.example"]);
      expect(await tryEndpoint({ ANTHROPIC_BASE_URL: `https://localhost:${port}` })).toMatchObject({
        kind: "certificate",
      });
    },
  );
});
