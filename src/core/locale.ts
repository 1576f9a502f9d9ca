/** Languages of documents, file names and interface texts. */
export type Locale = "en" | "zh" | "pt" | "de";

/** All locales; `en` first, because it is the default. */
export const LOCALES: readonly Locale[] = ["en", "zh", "pt", "de"];

/** `zh_CN.UTF-8`, `zh-Hans`, `ZH` → `zh`; anything unknown → undefined. */
export function parseLocale(value: string | undefined): Locale | undefined {
  const head = value
    ?.trim()
    .toLowerCase()
    .split(/[_.@-]/)[0];
  return LOCALES.find((locale) => locale === head);
}

/**
 * Explicit option > `FLOWER_LANG` > system locale (`LC_ALL`, `LC_MESSAGES`, `LANG`, in POSIX order) > `en`.
 * An empty variable counts as not set; an unknown language falls through to the next source.
 */
export function chooseLocale(option: string | undefined, env: Record<string, string | undefined>): Locale {
  const system = [env["LC_ALL"], env["LC_MESSAGES"], env["LANG"]].find((v) => v !== undefined && v !== "");
  return parseLocale(option) ?? parseLocale(env["FLOWER_LANG"]) ?? parseLocale(system) ?? "en";
}
