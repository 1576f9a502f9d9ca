import type { DoctorTexts } from "./contract.ts";

/** German. */
export const DE: DoctorTexts = {
  levels: { ok: "gut", note: "Hinweis", wrong: "falsch" },
  summary: (wrong, notes) =>
    wrong === 0 ? `nichts ist falsch (Hinweise: ${notes})` : `falsch: ${wrong}, Hinweise: ${notes}`,
  node: (version) => [`Node-Version ${version}`],
  nodeUnfit: (version, range) => [
    `flower läuft nicht mit Node ${version}`,
    `ein Node aus ${range} installieren`,
  ],
  versions: (flower, sdk, harness) => [`flower ${flower}, SDK ${sdk} und Harness ${harness}`],
  otherSdk: (sdk, wanted) => [
    `das SDK ist ${sdk}, gemessen wurde flower aber mit ${wanted}`,
    "flower neu installieren, mit seiner Lock-Datei",
  ],
  noHarness: (platform) => [
    `das Programm des Harness für ${platform} ist nicht installiert`,
    "flower neu installieren und optionale Abhängigkeiten nicht weglassen",
  ],
  credential: (key, shown, source) => [`${key} = ${shown} (aus ${source})`],
  noCredentials: ["es gibt keine Zugangsdaten", "flower setup aufrufen oder ANTHROPIC_API_KEY setzen"],
  noToken: [
    "ANTHROPIC_BASE_URL ist gesetzt, aber kein Token",
    "ANTHROPIC_AUTH_TOKEN setzen, bei einem lokalen Modell ohne Token auf irgendein Wort: flower setup",
  ],
  twoTokens: [
    "es gibt Schlüssel und Token, und beide werden gesendet",
    "entfernen, was dieser Endpunkt nicht will",
  ],
  reachable: (where) => [`${where} nimmt Verbindungen an`],
  unreachable: (where) => [
    `${where} nimmt keine Verbindung an`,
    "Adresse und Netz prüfen; läuft der lokale Server?",
  ],
  proxy: "Proxy",
  window: (tokens, model, source) => [`Fenster ${tokens} für ${model}, laut ${source}`],
  assumedWindow: (tokens, model) => [
    `das Fenster von ${model} ist nicht bekannt: angenommen werden ${tokens}`,
    "setzen, was der Server wirklich gibt, z. B. FLOWER_WINDOW=128k oder --window 128k",
  ],
  noModel: [
    "kein Modell gesetzt: dieser Endpunkt wird nach den Namen von Anthropic gefragt",
    "ANTHROPIC_MODEL setzen, falls er andere anbietet: flower setup --model <Name>",
  ],
  defaultModel: "das voreingestellte Modell des Harness",
  sources: {
    option: "der Option --window",
    FLOWER_WINDOW: "der Variablen FLOWER_WINDOW",
    learned: "dem Endpunkt bei einem Überlauf",
    "model name": "dem Namen des Modells",
    harness: "dem Harness",
    assumed: "Annahme, bis zum Start das Harness gefragt wird",
  },
  learned: (model, endpoint, tokens, day, command) => [
    `gelernt: ${model} bei ${endpoint} hat ${tokens} (seit ${day})`,
    `falls das nicht stimmt: ${command}`,
  ],
  forgotten: (model, endpoint) => [`vergessen: das Fenster von ${model} bei ${endpoint}`],
  nothingLearned: ["kein solches Fenster wurde gelernt"],
  git: (version) => [`${version} ist da`],
  noGit: ["git ist nicht installiert", "installieren, wenn Ausführende isoliert werden sollen (--isolate)"],
  canIsolate: ["Ausführende können hier isoliert werden (--isolate)"],
  disk: (path, free) => [`${free} frei bei ${path}`],
  diskLow: (path, free) => [`nur ${free} frei bei ${path}`, "vor einem langen Lauf Platz schaffen"],
  diskFull: (path, free) => [`${free} frei bei ${path}: ein Lauf bliebe bald stehen`, "Platz schaffen"],
  privateFiles: ["die Dateien von flower gehören dir allein"],
  openFile: (path, mode, command) => [
    `andere kommen an ${path} heran (Modus ${mode})`,
    `ausführen: ${command}`,
  ],
  blocked: (path, code) => [
    `${path} muss ein Verzeichnis sein und ist keines (${code})`,
    "wegräumen, was dort liegt",
  ],
  notWritable: (path) => [
    `${path} ist nicht beschreibbar`,
    "das Recht dazu geben oder ein anderes Verzeichnis nehmen",
  ],
  noWorkspace: (path) => [`${path} ist kein Verzeichnis`, "das Arbeitsverzeichnis mit --workspace nennen"],
  noRun: (path) => [`hier lief noch nichts (${path})`],
  free: (path) => [`kein Lauf hält ${path}`],
  held: (who, since, step) => [`ein Lauf ist im Gange: ${who}, seit ${since}${step}`],
  heldElsewhere: (who, since, path) => [
    `ein Lauf einer anderen Maschine hält dies: ${who}, seit ${since}`,
    `wenn der vorbei ist, ${path} entfernen`,
  ],
  stale: (who, since) => [
    `${who} endete, ohne die Sperre zurückzugeben (seit ${since})`,
    "nichts: der nächste Lauf übernimmt sie",
  ],
  sound: (count) => [`${count} Dateien angesehen, keine beschädigt`],
  damaged: (path, why) => [
    `${path} ist beschädigt (${why})`,
    "eine Kopie zurücklegen, falls vorhanden; der nächste Lauf legt sie beiseite und beginnt ohne sie",
  ],
  newer: (path, why) => [
    `${path} ist von einem neueren flower (${why})`,
    "flower aktualisieren oder ein anderes --run-dir nehmen",
  ],
  unreadable: (path, why) => [
    `${path} ist nicht lesbar (${why})`,
    "lesbar machen oder ein anderes --run-dir nehmen",
  ],
  setAside: (path) => [
    `${path} war beschädigt und wurde beiseitegelegt`,
    "entfernen, wenn es nicht mehr gebraucht wird",
  ],
  sandbox: ["Befehle laufen in bubblewrap"],
  noSandbox: (why) => [
    `keine Sandbox um Befehle: ${why}`,
    "bubblewrap installieren, damit Befehle nicht anderswohin schreiben können",
  ],
};
