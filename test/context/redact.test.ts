import { describe, expect, it } from "vitest";
import { redactDeep, redactor, redactShapes } from "../../src/context/redact.ts";

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
