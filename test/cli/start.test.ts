import { expect, it } from "vitest";
import { requireCredentials } from "../../src/cli/start.ts";
import { textsFor } from "../../src/cli/texts.ts";
import { LOCALES } from "../../src/core/locale.ts";

it.each(LOCALES)("says in %s how to get credentials, and names what is typed", (locale) => {
  const texts = textsFor(locale);
  const refuse = (): void => requireCredentials({ values: {} }, texts);
  expect(refuse).toThrow(
    expect.objectContaining({ code: "credentials", message: texts.noCredentials.what }) as Error,
  );
  for (const name of [
    "flower setup",
    "ANTHROPIC_API_KEY",
    ".config/flower/.env",
    "ANTHROPIC_BASE_URL",
    "flower demo",
  ])
    expect(texts.noCredentials.todo).toContain(name);
});

it("takes a key or a token", () => {
  for (const values of [{ ANTHROPIC_API_KEY: "k" }, { ANTHROPIC_AUTH_TOKEN: "t" }])
    expect(() => requireCredentials({ values }, textsFor("en"))).not.toThrow();
});
