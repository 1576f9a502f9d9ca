import type { Locale } from "../core/locale.ts";

/** What `flower setup` says and asks. */
export interface SetupTexts {
  /** `now`: what Enter keeps. */
  askBaseUrl(now: string): string;
  anthropic: string;
  /** `now`: the masked token that Enter keeps; undefined = there is none. */
  askToken(now: string | undefined): string;
  askModel(now: string): string;
  defaultModel: string;
  trying(endpoint: string, model: string): string;
  writeAnyway: string;
  notWritten(path: string): string;
  written(path: string): string;
  /** Another source has another value, and is used. */
  overruled(key: string, source: string): string;
  /** The file has none, but another source has. */
  alsoSet(key: string, source: string): string;
}

/** By locale. */
export const SETUP_TEXTS: Readonly<Record<Locale, SetupTexts>> = {
  en: {
    askBaseUrl: (now) => `Address of a gateway or local server (Enter: ${now}; - : Anthropic's own): `,
    anthropic: "Anthropic's own",
    askToken: (now) => `Token, not shown while you type${now === undefined ? "" : ` (Enter keeps ${now})`}: `,
    askModel: (now) => `Model (Enter: ${now}; - : the default): `,
    defaultModel: "the default",
    trying: (endpoint, model) => `asking ${endpoint} for one token of ${model} …`,
    writeAnyway: "Write it all the same? (y/N)",
    notWritten: (path) => `${path} is as it was (--yes writes it all the same)`,
    written: (path) => `written: ${path}`,
    overruled: (key, source) =>
      `${key} is also set in ${source}, which goes before this file: remove it there`,
    alsoSet: (key, source) =>
      `${key} is set in ${source} and is used as well: remove it there if it should not be`,
  },
  zh: {
    askBaseUrl: (now) => `网关或本地服务的地址(回车:${now};- :Anthropic 官方): `,
    anthropic: "Anthropic 官方",
    askToken: (now) => `令牌,输入时不显示${now === undefined ? "" : `(回车保留 ${now})`}: `,
    askModel: (now) => `模型(回车:${now};- :默认): `,
    defaultModel: "默认",
    trying: (endpoint, model) => `正在向 ${endpoint} 请求 ${model} 的一个 token……`,
    writeAnyway: "仍然写入吗?(y/N)",
    notWritten: (path) => `${path} 保持原样(加 --yes 则照样写入)`,
    written: (path) => `已写入:${path}`,
    overruled: (key, source) => `${key} 在 ${source} 中也有设置,且优先于此文件:请在那里删除`,
    alsoSet: (key, source) => `${key} 在 ${source} 中有设置,也会被使用:如不需要,请在那里删除`,
  },
  pt: {
    askBaseUrl: (now) => `Endereço de um gateway ou servidor local (Enter: ${now}; - : o da Anthropic): `,
    anthropic: "o da Anthropic",
    askToken: (now) => `Token, não aparece ao digitar${now === undefined ? "" : ` (Enter mantém ${now})`}: `,
    askModel: (now) => `Modelo (Enter: ${now}; - : o padrão): `,
    defaultModel: "o padrão",
    trying: (endpoint, model) => `pedindo a ${endpoint} um token de ${model} …`,
    writeAnyway: "Gravar mesmo assim? (s/N)",
    notWritten: (path) => `${path} ficou como estava (--yes grava mesmo assim)`,
    written: (path) => `gravado: ${path}`,
    overruled: (key, source) =>
      `${key} também está em ${source}, que vem antes deste arquivo: remova-o de lá`,
    alsoSet: (key, source) => `${key} está em ${source} e também é usado: remova-o de lá se não deve ser`,
  },
  de: {
    askBaseUrl: (now) =>
      `Adresse eines Gateways oder lokalen Servers (Enter: ${now}; - : Anthropics eigene): `,
    anthropic: "Anthropics eigene",
    askToken: (now) => `Token, beim Tippen unsichtbar${now === undefined ? "" : ` (Enter behält ${now})`}: `,
    askModel: (now) => `Modell (Enter: ${now}; - : das voreingestellte): `,
    defaultModel: "das voreingestellte",
    trying: (endpoint, model) => `frage ${endpoint} nach einem Token von ${model} …`,
    writeAnyway: "Trotzdem schreiben? (j/N)",
    notWritten: (path) => `${path} bleibt, wie es war (--yes schreibt trotzdem)`,
    written: (path) => `geschrieben: ${path}`,
    overruled: (key, source) => `${key} steht auch in ${source}, das vor dieser Datei gilt: dort entfernen`,
    alsoSet: (key, source) =>
      `${key} steht in ${source} und wird mitbenutzt: dort entfernen, falls unerwünscht`,
  },
};
