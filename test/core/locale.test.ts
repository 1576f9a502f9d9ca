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
});
