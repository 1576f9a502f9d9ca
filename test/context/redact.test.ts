import { createHash, randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { redactDeep, redactor, redactShapes } from "../../src/context/redact.ts";
import { stripControl } from "../../src/core/terminal-text.ts";

const SECRET = "sk-ant/with+odd=chars";

describe("redactor", () => {
  const redact = redactor([SECRET, "short", ""]);

  it("takes out the value, URI-encoded and in base64", () => {
    expect(redact(`key ${SECRET}, again ${SECRET}.`)).toBe("key [secret removed], again [secret removed].");
    expect(redact(`?key=${encodeURIComponent(SECRET)}`)).toBe("?key=[secret removed]");
  });

  it.each(["", "u", "us", "use", "user:"])("finds it in base64 behind %j", (before) => {
    for (const encoding of ["base64", "base64url"] as const) {
      const encoded = Buffer.from(`${before}${SECRET}tail`).toString(encoding);
      const shown = redact(encoded);
      expect(shown).toContain("[secret removed]");
      expect(Buffer.from(shown.replace("[secret removed]", ""), "base64").toString()).not.toContain("odd");
    }
  });

  it("leaves short values and other text alone", () => {
    expect(redact("short and plain")).toBe("short and plain");
  });

  it("finds a short one that is neither word nor number", () => {
    expect(redactor(["p4ss!w0"])("it is p4ss!w0, in base64 cDRzcyF3MA==")).toMatch(
      /^it is \[secret removed\], in base64 \[secret removed\]A?==$/,
    );
    expect(redactor(["secret", "123456"])("a secret of 123456")).toBe("a secret of 123456");
  });

  it("takes the longest first", () => {
    expect(redactor(["12345678", "1234567890"])("1234567890")).toBe("[secret removed]");
  });
});

describe("control sequences in the middle of a value", () => {
  const key = "sk-ant-colored-key-0123456789abc";
  const redact = redactor([key]);
  const grep = `SHOP=\u001b[01;31m\u001b[Ksk-ant\u001b[m\u001b[K${key.slice(6)}\n`;

  it("do not hide it, and stay", () => {
    expect(redact(`${grep}next\u001b[1m line`)).toBe(
      "SHOP=\u001b[01;31m\u001b[K[secret removed]\u001b[m\u001b[K\nnext\u001b[1m line",
    );
  });

  it.each([
    ["colours", "\u001b[31m"],
    ["a title", "\u001b]0;t\u0007"],
    ["a link", "\u001b]8;;http://x\u001b\\"],
    ["zeros", "\0\0"],
    ["carriage returns", "\r"],
    ["bidirectional marks", "\u202e"],
    ["one-character colours", "\u009b1m"],
    ["colours in JSON", "\\u001b[1;31m"],
    ["colours in JSON in JSON", "\\\\u001b[1;31m"],
    ["colours as programs write them", "\\x1B[0m"],
  ])("%s", (_, sequence) => {
    const text = `a ${sequence}${key.split("").join(sequence)} b ${sequence}${key} c`;
    const shown = redact(text);
    expect(shown.replaceAll(sequence, "")).toBe("a [secret removed] b [secret removed] c");
    expect(stripControl(shown)).not.toContain(key);
  });

  it("do not hide a token that nobody knows", () => {
    const token = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
    expect(redactor([])(`\u001b[31mghp_\u001b[m${token.slice(4)}`)).toBe(
      "\u001b[31m[secret removed]\u001b[m",
    );
  });

  it("leave a text without a value as it is", () => {
    const text = "\u001b[31mred\u001b[m and \u009b1mbold\r\n\\u001b[0m";
    expect(redact(text)).toBe(text);
  });
});

describe("values that JSON or several lines change", () => {
  const odd = 'pa"ss\\wd-PLANTED-77';

  it("finds one escaped as in JSON, and in JSON within JSON", () => {
    const redact = redactor([odd]);
    const once = JSON.stringify({ a: odd });
    expect(redact(once)).toBe('{"a":"[secret removed]"}');
    expect(redact(JSON.stringify(once))).toBe(JSON.stringify('{"a":"[secret removed]"}'));
  });

  const body = [
    "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC",
    "BKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj",
    "MzEfYyjiWA4R4/M2bS1GB4t7NXp98C3S",
  ];
  const pem = `-----BEGIN KEY-----\n${body.join("\n")}\n-----END KEY-----\n`;

  it.each([
    ["with real line ends", pem],
    ["with written line ends", pem.replaceAll("\n", "\\n")],
    ["with line ends of Windows", pem.replaceAll("\n", "\r\n")],
  ])("finds each line of a value %s", (_, value) => {
    const redact = redactor([value]);
    for (const text of [
      pem,
      JSON.stringify({ pem }),
      JSON.stringify(JSON.stringify({ pem })),
      body.map((line, i) => `${i}: ${line}`).join("\n"),
      `FIREBASE="${value}"`,
    ])
      for (const line of body) expect(redact(text)).not.toContain(line);
  });

  it("leaves what a value of several lines has in common with other texts", () => {
    const redact = redactor([
      "-----BEGIN PRIVATE KEY-----\nthis is a note-about-everything\nhttps://host/a/b/c/2\n",
    ]);
    const text = "-----BEGIN PRIVATE KEY----- is a note-about-everything at https://host/a/b/c/2";
    expect(redact(text)).toBe(text);
  });
});

describe("tokens that nobody has named", () => {
  const redact = redactor([]);
  const BODY = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj";

  it.each([
    "sk-ant-api03-abcdefghijklmnopqrstuvwx",
    "sk-0123456789abcdef0123456789abcdef",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_11ABCDEFG0abcdefghijkl_mnopqrst",
    "xoxb-123456789012-abcdefghijkl",
    "AKIAIOSFODNN7EXAMPLE",
    "AIzaSyA0123456789abcdefghijklmnopqrstuv",
    "sk_live_51HxAbCdEfGhIjKlMnOp",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
  ])("takes out %s, also behind what JSON and addresses escape", (token) => {
    for (const before of ["", "a ", '"', "=", "\n", "\\n", "\\t", "\\u001b[31m"])
      expect(redact(`${before}${token} b`)).toBe(`${before}[secret removed] b`);
  });

  it("takes out addresses that are keys, and private keys", () => {
    expect(redact("to https://hooks.slack.com/services/T0000/B0000/abcDEF123 now")).toBe(
      "to https://[secret removed] now",
    );
    const pem = `-----BEGIN RSA PRIVATE KEY-----\n${BODY}\n${BODY}\nabc=\n-----END RSA PRIVATE KEY-----`;
    expect(redact(pem)).toBe("[secret removed]\n-----END RSA PRIVATE KEY-----");
    expect(redact(JSON.stringify({ pem }))).toBe(
      '{"pem":"[secret removed]\\n-----END RSA PRIVATE KEY-----"}',
    );
  });

  const bytes = Buffer.concat(
    Array.from({ length: 4_000 }, (_, i) => createHash("sha256").update(String(i)).digest()),
  );
  it.each([
    ["hashes", bytes.toString("hex")],
    ["ids", Array.from({ length: 200 }, () => randomUUID()).join("\n")],
    ["base64", bytes.toString("base64")],
    ["base64 for addresses", bytes.toString("base64url")],
    [
      "letters of a token in base64",
      `iVBORw0KGgo/AIzaSyA0123456789abcdefghijklmnopqrstuv+AKIAIOSFODNN7EXAMPLE/`,
    ],
    [
      "ids of the harness",
      "toolu_01A09q90qw90lq917835lq9 msg_01XFDUDYJgAACzvnptvVoYEL req_011CSHoEeqs5C35K2UUqR7Fy",
    ],
    ["slugs", "sk-2024-01-01-title-of-an-article sk-fading-circle-container-x task-sk-short"],
    ["variables", "npm_config_user_agent_of_the_project npm_package_dependencies_left_pad hf_home_directory"],
    ["a frame alone", 'text.startsWith("-----BEGIN PRIVATE KEY-----") || text.includes("END")'],
    ["assignments", "API_KEY=process.env.API_KEY Bearer abcdefghijklmnopqrstuvwxyz https://u:pass@host"],
    ["a JWT's head", "eyJhbGciOiJIUzI1NiJ9"],
  ])("leaves %s", (_, text) => expect(redact(text)).toBe(text));

  it.each(["sk-ant-", "-eyJabc", "\\", "\u001b]", "-----BEGIN PRIVATE KEY-----\n", "ghp_", "github_pat_"])(
    "is soon done with very many of %j",
    (part) => {
      const text = part.repeat(100_000);
      expect(redact(text)).toBe(text);
    },
  );
});

describe("assignments that name a secret", () => {
  it.each([
    ["AWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI make deploy", "AWS_SECRET_ACCESS_KEY=[secret removed] make deploy"],
    ["PGPASSWORD=hunter2hunter2 psql", "PGPASSWORD=[secret removed] psql"],
    ["export API_TOKEN='abcdefgh'; x", "export API_TOKEN='[secret removed]'; x"],
    ["SG.abcdefghijklmnop.qrstuvwxyz0123456789", "[secret removed]"],
    ["KEYS=5 TOKEN=$TOKEN make KEYBOARD=querty123", "KEYS=5 TOKEN=$TOKEN make KEYBOARD=querty123"],
  ])("%s", (text, without) => expect(redactShapes(text)).toBe(without));
});

describe("redactDeep", () => {
  const redact = redactor([SECRET]);

  it("goes through arrays and objects", () => {
    const value = { a: [{ b: `x ${SECRET}` }, 1, null], c: true };
    expect(redactDeep(value, redact)).toEqual({ a: [{ b: "x [secret removed]" }, 1, null], c: true });
  });

  it("returns the same value when nothing changed, and same parts where nothing changed", () => {
    const value = { a: ["x", { n: NaN }], b: SECRET };
    const same = { a: ["x"], b: "y" };
    expect(redactDeep(same, redact)).toBe(same);
    expect(redactDeep(value, redact).a).toBe(value.a);
  });
});

describe("redactShapes", () => {
  it.each([
    "sk-ant-api03-abcdefghijklmnopqrstuvwx",
    "ghp_abcdefghijklmnopqrstuvwxyz0123456789",
    "github_pat_11ABCDEFG0abcdefghijkl_mnopqrst",
    "ghr_abcdefghijklmnopqrstuvwxyz0123456789",
    "AKIAIOSFODNN7EXAMPLE",
    "sk_live_51HxAbCdEfGhIjKlMnOp",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl",
    "-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----",
  ])("takes out %s", (secret) => {
    expect(redactShapes(`it is ${secret} there`)).toBe("it is [secret removed] there");
  });

  it("takes out what bears a header", () => {
    expect(redactShapes("-H 'Authorization: Bearer abc.DEF-123_456/789=='")).toBe(
      "-H 'Authorization: Bearer [secret removed]'",
    );
    expect(redactShapes("the Bearer scheme is used")).toBe("the Bearer scheme is used");
  });

  it("takes the password out of a URL and leaves the rest", () => {
    expect(redactShapes("postgres://app:hunter22@db/x")).toBe("postgres://app:[secret removed]@db/x");
  });

  it.each([
    "task-skip",
    "sk-short",
    "https://host/a:b@c",
    "the key is in .env",
    "AKIA",
    "commit 0123456789abcdef",
  ])("leaves %s alone", (text) => expect(redactShapes(text)).toBe(text));
});
