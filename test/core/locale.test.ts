import { describe, expect, it } from "vitest";
import { chooseLocale } from "../../src/core/locale.ts";

describe("chooseLocale", () => {
  it("prefers the option, then FLOWER_LANG, then the system locale, then en", () => {
    expect(chooseLocale("de", { FLOWER_LANG: "zh", LANG: "pt_BR.UTF-8" })).toBe("de");
    expect(chooseLocale(undefined, { FLOWER_LANG: "zh", LANG: "pt_BR.UTF-8" })).toBe("zh");
    expect(chooseLocale(undefined, { FLOWER_LANG: "", LANG: "pt_BR.UTF-8" })).toBe("pt");
    expect(chooseLocale(undefined, { LC_ALL: "zh_CN.UTF-8", LANG: "de_DE" })).toBe("zh");
    expect(chooseLocale(undefined, { LANG: "C.UTF-8" })).toBe("en");
    expect(chooseLocale("klingon", {})).toBe("en");
  });

  it.each([
    ["LANG", { LANG: "zh_CN.UTF-8" }, "zh"],
    ["LC_MESSAGES above LANG", { LC_MESSAGES: "pt_PT@euro", LANG: "zh_CN.UTF-8" }, "pt"],
    ["LC_ALL above LC_MESSAGES", { LC_ALL: "de_AT.UTF-8", LC_MESSAGES: "pt_BR", LANG: "zh_CN" }, "de"],
    ["an empty LC_ALL hides nothing", { LC_ALL: "", LANG: "zh_TW.Big5" }, "zh"],
    ["LC_ALL=C means no language", { LC_ALL: "C", LANG: "zh_CN.UTF-8" }, "en"],
    ["FLOWER_LANG above all of them", { FLOWER_LANG: "de-CH", LC_ALL: "zh_CN.UTF-8" }, "de"],
  ] as const)("takes the language from %s", (_why, env, locale) => {
    expect(chooseLocale(undefined, env)).toBe(locale);
  });
});
