import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { atTerminal, canPlayTerminal } from "../support/at-terminal.ts";
import { cleanEnv, FLOWER, flower } from "../support/flower.ts";
import { rows } from "../support/long.ts";
import { onCleanup, tempDir, until } from "../support/rehearse.ts";

const GOOD = "tok-good-123456";

/** An endpoint that takes one token, for the model `glm`; it repeats what it does not like. */
async function gateway(): Promise<{ url: string; asked: () => number }> {
  let asked = 0;
  const server = createServer((request, response) => {
    asked += 1;
    const { authorization = "" } = request.headers;
    if (authorization !== `Bearer ${GOOD}`) {
      response.writeHead(401).end(JSON.stringify({ error: { message: `not ${authorization}` } }));
      return;
    }
    request.setEncoding("utf8").once("data", (body: string) => {
      if (body.includes('"model":"glm"')) response.end('{"type":"message"}');
      else response.writeHead(404).end('{"error":{"message":"model: nope"}}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onCleanup(async () => {
    server.close().closeAllConnections();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

/** A person's home, with a config file when there is a text for it. */
async function person(text?: string): Promise<{ env: Record<string, string>; file: string; home: string }> {
  const home = await tempDir();
  const file = join(home, "config/flower/.env");
  if (text !== undefined) {
    mkdirSync(join(home, "config/flower"), { recursive: true });
    writeFileSync(file, text, { mode: 0o644 });
  }
  return {
    home,
    file,
    env: { HOME: home, XDG_CONFIG_HOME: join(home, "config"), NO_PROXY: "127.0.0.1", TERM: "xterm" },
  };
}

describe("flower setup by options", () => {
  it("tries the values, writes them for the person alone, and leaves the rest of the file", async () => {
    const { url, asked } = await gateway();
    const { env, file, home } = await person("# mine\nANTHROPIC_API_KEY=sk-old\nOTHER='x y'\n");
    writeFileSync(join(home, ".env"), "ANTHROPIC_MODEL=theirs\n");
    const args = ["setup", "-w", home, "--base-url", `${url}/v1`, "--model", "glm", "--token-stdin"];
    const ran = await flower(args, { ...env, ANTHROPIC_API_KEY: "sk-elsewhere" }, `${GOOD}\n`);
    expect(ran, ran.err).toMatchObject({ code: 0, out: `written: ${file}\n` });
    expect(asked()).toBe(1);
    expect(readFileSync(file, "utf8")).toBe(
      `# mine\nOTHER='x y'\nANTHROPIC_BASE_URL=${url}\nANTHROPIC_AUTH_TOKEN=${GOOD}\nANTHROPIC_MODEL=glm\n`,
    );
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(ran.err).toContain("answers as glm");
    // What goes before the file, and what is used beside it.
    expect(ran.err).toMatch(/ANTHROPIC_MODEL is also set in .*\/\.env, which goes before/);
    expect(ran.err).toMatch(/ANTHROPIC_API_KEY is set in environment/);
    expect(ran.err).not.toContain("tok-g");
  });

  it("leaves the file as it was when the endpoint says no, unless told otherwise", async () => {
    const { url } = await gateway();
    const { env, file } = await person();
    const args = ["setup", "--base-url", url, "--model", "glm", "--token-stdin"];
    const refused = await flower(args, env, "tok-bad-987654");
    expect(refused).toMatchObject({ code: 1, out: "" });
    expect(refused.err).toMatch(/refuses the token \(HTTP 401\).*\n.* is as it was/);
    expect(existsSync(file)).toBe(false);
    const forced = await flower([...args, "--yes"], env, "tok-bad-987654");
    expect(forced).toMatchObject({ code: 1, out: `written: ${file}\n` });
    expect(readFileSync(file, "utf8")).toContain("tok-bad-987654");
    expect(refused.err + forced.err).not.toContain("tok-b");
    // The token that is there goes to the address that it belongs to, and to no other.
    const other = await flower(["setup", "--base-url", "http://127.0.0.1:9"], env);
    expect(other).toMatchObject({
      code: 2,
      err: expect.stringMatching(/belongs to another address -- .*--token-stdin/) as string,
    });
  });

  it("refuses to guess when nothing is given and nobody can be asked", async () => {
    const { env } = await person();
    expect(await flower(["setup"], env)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/nobody to ask/) as string,
    });
  });
});

describe.skipIf(!canPlayTerminal)("flower setup at a terminal", () => {
  it("asks, shows of the token its first four characters only, and asks again for what cannot be right", async () => {
    const { url } = await gateway();
    const { env, file, home } = await person();
    const terminal = atTerminal([process.execPath, FLOWER, "setup", "-w", home], cleanEnv(env));
    let at = await terminal.shows(/local server .*: /);
    terminal.type("localhost:1\r");
    at = await terminal.shows(/no plain http[^]*local server .*: /, at);
    terminal.type(`${url}\r`);
    at = await terminal.shows(/Token, not shown.*: /, at);
    terminal.type("\r");
    at = await terminal.shows(/no token[^]*Token, not shown.*: /, at);
    // A paste of several lines answers once; the rest is nobody's.
    terminal.type(`${GOOD}\rtail-of-paste`);
    at = await terminal.shows(/Model .*: /, at);
    // An arrow brings nothing back.
    terminal.type("\u001b[Anope\r");
    at = await terminal.shows(/does not know the model nope[^]*\(y\/N\)/, at);
    terminal.type("y\r");
    await terminal.shows(/written: /, at);
    expect(await terminal.ended).toBe(1);
    const screen = terminal.screen();
    expect(screen).toContain("tok-…");
    for (const secret of ["tok-g", "good", "tail"]) expect(screen).not.toContain(secret);
    expect(readFileSync(file, "utf8")).toContain(`ANTHROPIC_AUTH_TOKEN=${GOOD}\n`);

    // Enter keeps what is there.
    const again = atTerminal(
      [process.execPath, FLOWER, "setup", "-w", home, "--model", "glm"],
      cleanEnv(env),
    );
    at = await again.shows(/Enter: http.*: /);
    again.type("\r");
    await again.shows(/Enter keeps tok-….*: /, at);
    again.type("\r");
    expect(await again.ended).toBe(0);
    expect(again.screen()).not.toContain("tok-g");
    expect(readFileSync(file, "utf8")).toContain("ANTHROPIC_MODEL=glm\n");
  });

  // Fails when a question is drawn over as soon as it is asked: what was written is not what a person sees.
  it.each(rows([40, 80, 160], (columns) => columns === 40))(
    "keeps its questions in sight in %i columns",
    async (columns) => {
      const { url } = await gateway();
      const { env, home } = await person();
      const terminal = atTerminal([process.execPath, FLOWER, "setup", "-w", home], cleanEnv(env), {
        columns,
        rows: 30,
      });
      const sees = async (what: RegExp): Promise<void> =>
        until(async () => what.test((await terminal.frame()).join("")));
      await sees(/local server.*own\): ?$/);
      terminal.type(url.slice(0, 9));
      await sees(/own\): ?http:\/\/12$/);
      terminal.type(`${url.slice(9)}\r`);
      await sees(/Token, not shown.*: ?$/);
      terminal.type(`${GOOD}\r`);
      await sees(/Model .*: ?$/);
      terminal.type("nope\r");
      await sees(/Model .*: ?nope.*\(y\/N\) ?$/);
      terminal.type("n\r");
      expect(await terminal.ended).toBe(1);
    },
  );

  it("writes nothing at Ctrl-C", async () => {
    const { env, file, home } = await person();
    const terminal = atTerminal([process.execPath, FLOWER, "setup", "-w", home], cleanEnv(env));
    let at = await terminal.shows(/local server .*: /);
    terminal.type("-\r");
    at = await terminal.shows(/Token, not shown.*: /, at);
    terminal.type("sk-ant-x\u0003");
    await terminal.shows(/nothing was written/, at);
    expect(await terminal.ended).toBe(130);
    expect(existsSync(file)).toBe(false);
    expect(terminal.screen()).not.toContain("sk-ant");
  });
});
