import { createServer } from "node:net";
import { describe, expect, it } from "vitest";
import { endpoint, reachable } from "../../src/runtime/resilience.ts";
import { onCleanup } from "../support/rehearse.ts";

const PROXY = "http://proxy.test:3128";
const HTTPS = { ANTHROPIC_BASE_URL: "https://api.test" };
const HTTP = { ANTHROPIC_BASE_URL: "http://api.test" };

describe("where the harness connects to", () => {
  it("is told in an error of flower's own when it is no address, without what it may hold", () => {
    const open = (): unknown => endpoint({ ANTHROPIC_BASE_URL: "not a url, pw" });
    expect(open).toThrow(expect.objectContaining({ name: "FlowerError", code: "credentials" }));
    expect(open).not.toThrow(/pw/);
  });

  // Seen at the harness: each name is used for addresses of either kind (0.3.332).
  it.each(
    [HTTPS, HTTP].flatMap((base) =>
      ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"].map((name) => ({
        ...base,
        [name]: PROXY,
      })),
    ),
  )("through the proxy of %j", (env) =>
    expect(endpoint(env)).toEqual({ host: "proxy.test", port: 3128, viaProxy: true }),
  );

  it.each([
    ["api.test"],
    ["other, api.test"],
    ["other api.test"],
    [".test"],
    ["*.test"],
    ["*"],
    ["api.test:443"],
  ])("directly for NO_PROXY=%s", (exempt) =>
    expect(endpoint({ ...HTTPS, HTTPS_PROXY: PROXY, NO_PROXY: exempt })).toEqual({
      host: "api.test",
      port: 443,
      viaProxy: false,
    }),
  );

  it.each([["est"], ["api.test:80"], ["xapi.test"]])("through the proxy for NO_PROXY=%s", (exempt) =>
    expect(endpoint({ ...HTTPS, HTTPS_PROXY: PROXY, NO_PROXY: exempt }).viaProxy).toBe(true),
  );

  it("directly without any, with the scheme's port", () => {
    expect(endpoint({})).toEqual({ host: "api.anthropic.com", port: 443, viaProxy: false });
    expect(endpoint({ ANTHROPIC_BASE_URL: "http://[::1]:8080" })).toEqual({
      host: "::1",
      port: 8080,
      viaProxy: false,
    });
  });
});

it("can be reached by whichever of its addresses answers, and not where nobody listens", async () => {
  const server = createServer((socket) => socket.destroy());
  // `localhost` may name ::1 first; only this one is served.
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(async () => server.close());
  const address = server.address();
  const port = typeof address === "object" ? (address?.port ?? 0) : 0;
  expect(await reachable({ host: "localhost", port, viaProxy: false })).toBe(true);
  expect(await reachable({ host: "no-such-host.invalid", port, viaProxy: false })).toBe(false);
  expect(await reachable({ host: "127.0.0.1", port: 1, viaProxy: false })).toBe(false);
}, 20_000);
