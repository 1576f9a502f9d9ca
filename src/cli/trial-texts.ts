import type { Locale } from "../core/locale.ts";
import type { Trial } from "../runtime/trial-reply.ts";

/** What came back, and what to do about it; nothing to do = one word only. */
type Said = readonly [text: string, todo?: string];

/** How each outcome of a small request is said. Words from outside in it are not yet fit to show. */
export type TrialTexts = { readonly [K in Trial["kind"]]: (trial: Extract<Trial, { kind: K }>) => Said };

/** By locale. */
export const TRIAL_TEXTS: Readonly<Record<Locale, TrialTexts>> = {
  en: {
    works: ({ model }) => [`the endpoint answers as ${model}`],
    refusedKey: ({ status }) => [
      `the endpoint refuses the token (HTTP ${status})`,
      "check it and set it anew: flower setup",
    ],
    noCredit: () => ["the account has no credit left", "add some at the provider"],
    unknownModel: ({ model }) => [
      `the endpoint does not know the model ${model}`,
      "set one that it serves as ANTHROPIC_MODEL: flower setup --model <name>",
    ],
    notMessages: ({ status }) => [
      `what answers there does not speak the Messages API (HTTP ${status} to POST /v1/messages)`,
      "check the address; /v1/messages is added to it",
    ],
    redirects: ({ location }) => [
      `the endpoint sends us elsewhere: ${location}`,
      "set the address that it leads to, if it is the right one",
    ],
    limited: ({ detail }) => [
      `the endpoint takes the token, but limits requests now: ${detail}`,
      "nothing, if that passes: a run waits for it",
    ],
    busy: ({ status }) => [`the endpoint has trouble of its own (HTTP ${status})`, "try again later"],
    refused: ({ status, detail }) => [
      `the endpoint refuses the request (HTTP ${status}): ${detail}`,
      "see what it says",
    ],
    proxyRefuses: ({ status }) => [
      `the proxy refuses the connection (HTTP ${status})`,
      "check HTTPS_PROXY, or name the host in NO_PROXY",
    ],
    unreachable: ({ detail }) => [
      `the endpoint cannot be reached (${detail})`,
      "check the address and the network; is a local server running?",
    ],
    certificate: ({ detail }) => [
      `the endpoint's certificate is not trusted (${detail})`,
      "name your organisation's certificate in NODE_EXTRA_CA_CERTS",
    ],
    silent: ({ seconds }) => [
      `the endpoint said nothing for ${seconds} s`,
      "try again; a local model may still be loading",
    ],
  },
  zh: {
    works: ({ model }) => [`端点以 ${model} 作答`],
    refusedKey: ({ status }) => [`端点拒绝了令牌(HTTP ${status})`, "核对后重新设置:flower setup"],
    noCredit: () => ["账户余额不足", "请到服务商处充值"],
    unknownModel: ({ model }) => [
      `端点不认识模型 ${model}`,
      "把它提供的模型设为 ANTHROPIC_MODEL:flower setup --model <名称>",
    ],
    notMessages: ({ status }) => [
      `那里的服务不支持 Messages API(POST /v1/messages 返回 HTTP ${status})`,
      "核对地址;/v1/messages 会自动加在后面",
    ],
    redirects: ({ location }) => [`端点转到了别处:${location}`, "如果目标无误,就改用那个地址"],
    limited: ({ detail }) => [
      `端点接受令牌,但目前限制请求:${detail}`,
      "如果只是暂时的,无需处理:运行时会等待",
    ],
    busy: ({ status }) => [`端点自身有故障(HTTP ${status})`, "稍后再试"],
    refused: ({ status, detail }) => [`端点拒绝了请求(HTTP ${status}):${detail}`, "按它的说明处理"],
    proxyRefuses: ({ status }) => [
      `代理拒绝连接(HTTP ${status})`,
      "检查 HTTPS_PROXY,或把该主机写进 NO_PROXY",
    ],
    unreachable: ({ detail }) => [`无法连接端点(${detail})`, "检查地址和网络;本地服务启动了吗?"],
    certificate: ({ detail }) => [`端点的证书不受信任(${detail})`, "用 NODE_EXTRA_CA_CERTS 指定贵机构的证书"],
    silent: ({ seconds }) => [`端点 ${seconds} 秒没有回应`, "再试一次;本地模型可能还在加载"],
  },
  pt: {
    works: ({ model }) => [`o endpoint responde como ${model}`],
    refusedKey: ({ status }) => [
      `o endpoint recusa o token (HTTP ${status})`,
      "confira e defina de novo: flower setup",
    ],
    noCredit: () => ["a conta não tem mais crédito", "adicione crédito no provedor"],
    unknownModel: ({ model }) => [
      `o endpoint não conhece o modelo ${model}`,
      "defina um que ele ofereça em ANTHROPIC_MODEL: flower setup --model <nome>",
    ],
    notMessages: ({ status }) => [
      `o que responde ali não fala a Messages API (HTTP ${status} para POST /v1/messages)`,
      "confira o endereço; /v1/messages é acrescentado a ele",
    ],
    redirects: ({ location }) => [
      `o endpoint redireciona para outro lugar: ${location}`,
      "use o endereço de destino, se for o certo",
    ],
    limited: ({ detail }) => [
      `o endpoint aceita o token, mas limita pedidos agora: ${detail}`,
      "nada, se for passageiro: a execução espera",
    ],
    busy: ({ status }) => [`o endpoint está com problemas (HTTP ${status})`, "tente mais tarde"],
    refused: ({ status, detail }) => [
      `o endpoint recusa o pedido (HTTP ${status}): ${detail}`,
      "veja o que ele diz",
    ],
    proxyRefuses: ({ status }) => [
      `o proxy recusa a conexão (HTTP ${status})`,
      "confira HTTPS_PROXY ou ponha o host em NO_PROXY",
    ],
    unreachable: ({ detail }) => [
      `o endpoint não pode ser alcançado (${detail})`,
      "confira o endereço e a rede; o servidor local está rodando?",
    ],
    certificate: ({ detail }) => [
      `o certificado do endpoint não é confiável (${detail})`,
      "indique o certificado da sua organização em NODE_EXTRA_CA_CERTS",
    ],
    silent: ({ seconds }) => [
      `o endpoint ficou ${seconds} s sem responder`,
      "tente de novo; um modelo local pode ainda estar carregando",
    ],
  },
  de: {
    works: ({ model }) => [`der Endpunkt antwortet als ${model}`],
    refusedKey: ({ status }) => [
      `der Endpunkt lehnt das Token ab (HTTP ${status})`,
      "prüfen und neu setzen: flower setup",
    ],
    noCredit: () => ["das Konto hat kein Guthaben mehr", "beim Anbieter aufladen"],
    unknownModel: ({ model }) => [
      `der Endpunkt kennt das Modell ${model} nicht`,
      "eines, das er anbietet, als ANTHROPIC_MODEL setzen: flower setup --model <Name>",
    ],
    notMessages: ({ status }) => [
      `was dort antwortet, spricht die Messages-API nicht (HTTP ${status} auf POST /v1/messages)`,
      "Adresse prüfen; /v1/messages wird angehängt",
    ],
    redirects: ({ location }) => [
      `der Endpunkt verweist woandershin: ${location}`,
      "diese Adresse setzen, falls sie die richtige ist",
    ],
    limited: ({ detail }) => [
      `der Endpunkt nimmt das Token an, begrenzt aber gerade die Anfragen: ${detail}`,
      "nichts, wenn das vorbeigeht: ein Lauf wartet darauf",
    ],
    busy: ({ status }) => [
      `der Endpunkt ist selbst gestört (HTTP ${status})`,
      "später noch einmal versuchen",
    ],
    refused: ({ status, detail }) => [
      `der Endpunkt lehnt die Anfrage ab (HTTP ${status}): ${detail}`,
      "seinem Hinweis folgen",
    ],
    proxyRefuses: ({ status }) => [
      `der Proxy lehnt die Verbindung ab (HTTP ${status})`,
      "HTTPS_PROXY prüfen oder den Host in NO_PROXY nennen",
    ],
    unreachable: ({ detail }) => [
      `der Endpunkt ist nicht erreichbar (${detail})`,
      "Adresse und Netz prüfen; läuft der lokale Server?",
    ],
    certificate: ({ detail }) => [
      `dem Zertifikat des Endpunkts wird nicht vertraut (${detail})`,
      "das Zertifikat der Organisation in NODE_EXTRA_CA_CERTS nennen",
    ],
    silent: ({ seconds }) => [
      `der Endpunkt schwieg ${seconds} s lang`,
      "noch einmal versuchen; ein lokales Modell lädt vielleicht noch",
    ],
  },
};
