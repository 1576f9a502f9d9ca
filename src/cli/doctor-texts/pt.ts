import type { DoctorTexts } from "./contract.ts";

/** Portuguese. */
export const PT: DoctorTexts = {
  levels: { ok: "certo", note: "nota", wrong: "errado" },
  summary: (wrong, notes) =>
    wrong === 0 ? `nada está errado (notas: ${notes})` : `errado: ${wrong}, notas: ${notes}`,
  node: (version) => [`versão do Node: ${version}`],
  nodeUnfit: (version, range) => [`o flower não roda no Node ${version}`, `instale um Node de ${range}`],
  versions: (flower, sdk, harness) => [`flower ${flower}, SDK ${sdk} e harness ${harness}`],
  otherSdk: (sdk, wanted) => [
    `o SDK é ${sdk}, mas o flower foi medido com ${wanted}`,
    "instale o flower de novo, com o arquivo de travas",
  ],
  noHarness: (platform) => [
    `o programa do harness para ${platform} não está instalado`,
    "instale o flower de novo, sem deixar de fora as dependências opcionais",
  ],
  credential: (key, shown, source) => [`${key} = ${shown} (em ${source})`],
  noCredentials: ["não há credenciais", "rode flower setup ou defina ANTHROPIC_API_KEY"],
  noToken: [
    "ANTHROPIC_BASE_URL está definida, mas não há token",
    "defina ANTHROPIC_AUTH_TOKEN, qualquer palavra para um modelo local que não pede token: flower setup",
  ],
  twoTokens: ["há uma chave e um token, e ambos são enviados", "remova o que este endpoint não quer"],
  reachable: (where) => [`${where} aceita conexões`],
  unreachable: (where) => [
    `${where} não aceita conexão`,
    "confira o endereço e a rede; o servidor local está rodando?",
  ],
  proxy: "via proxy",
  window: (tokens, model, source) => [`janela de ${tokens} para ${model}, segundo ${source}`],
  assumedWindow: (tokens, model) => [
    `a janela de ${model} não é conhecida: supõe-se ${tokens}`,
    "defina o que o servidor realmente dá, p. ex. FLOWER_WINDOW=128k ou --window 128k",
  ],
  noModel: [
    "nenhum modelo definido: este endpoint receberá os nomes da própria Anthropic",
    "defina ANTHROPIC_MODEL se ele oferece outros: flower setup --model <nome>",
  ],
  defaultModel: "o modelo padrão do harness",
  sources: {
    option: "a opção --window",
    FLOWER_WINDOW: "a variável FLOWER_WINDOW",
    learned: "o que o endpoint disse num estouro",
    "model name": "o nome do modelo",
    harness: "o harness",
    assumed: "suposição, até o harness ser consultado no início",
  },
  learned: (model, endpoint, tokens, day, command) => [
    `aprendido: ${model} em ${endpoint} tem ${tokens} (desde ${day})`,
    `se estiver errado: ${command}`,
  ],
  forgotten: (model, endpoint) => [`esquecido: a janela de ${model} em ${endpoint}`],
  nothingLearned: ["nenhuma janela assim foi aprendida"],
  git: (version) => [`${version} instalado`],
  noGit: ["o git não está instalado", "instale-o se os executores devem ser isolados (--isolate)"],
  canIsolate: ["executores podem ser isolados aqui (--isolate)"],
  disk: (path, free) => [`${free} livres em ${path}`],
  diskLow: (path, free) => [`só ${free} livres em ${path}`, "libere espaço antes de uma execução longa"],
  diskFull: (path, free) => [`${free} livres em ${path}: uma execução logo pararia`, "libere espaço"],
  privateFiles: ["os arquivos do flower são só seus"],
  openFile: (path, mode, command) => [`outros podem acessar ${path} (modo ${mode})`, `rode ${command}`],
  blocked: (path, code) => [
    `${path} deveria ser um diretório e não é (${code})`,
    "tire de lá o que ocupa o lugar",
  ],
  notWritable: (path) => [`não se pode gravar em ${path}`, "dê a si esse direito ou use outro diretório"],
  noWorkspace: (path) => [`${path} não é um diretório`, "indique o diretório de trabalho com --workspace"],
  noRun: (path) => [`nenhuma execução aqui ainda (${path})`],
  free: (path) => [`nenhuma execução ocupa ${path}`],
  held: (who, since, step) => [`há uma execução em curso: ${who}, desde ${since}${step}`],
  heldElsewhere: (who, since, path) => [
    `uma execução de outra máquina ocupa isto: ${who}, desde ${since}`,
    `se ela acabou, remova ${path}`,
  ],
  stale: (who, since) => [
    `${who} acabou sem devolver a trava (desde ${since})`,
    "nada: a próxima execução a assume",
  ],
  sound: (count) => [`${count} arquivos examinados, nenhum danificado`],
  damaged: (path, why) => [
    `${path} está danificado (${why})`,
    "reponha uma cópia se tiver; a próxima execução o põe de lado e começa sem ele",
  ],
  newer: (path, why) => [
    `${path} é de um flower mais novo (${why})`,
    "atualize o flower ou use outro --run-dir",
  ],
  unreadable: (path, why) => [`${path} não pode ser lido (${why})`, "torne-o legível ou use outro --run-dir"],
  setAside: (path) => [`${path} estava danificado e foi posto de lado`, "remova-o quando não precisar dele"],
  sandbox: ["os comandos rodam no bubblewrap"],
  noSandbox: (why) => [
    `sem sandbox em torno dos comandos: ${why}`,
    "instale o bubblewrap para impedir que comandos gravem em outros lugares",
  ],
};
