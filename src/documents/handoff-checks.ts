import { codeRanges } from "./code-ranges.ts";
import { REQUIRED } from "./handoff.ts";
import { readSections, type Sections } from "./sections.ts";
import { saysNone } from "./wording.ts";

/** Lines from which code is pasted contents, no longer a command or two. */
const PASTED_LINES = 8;

/** Paths that one annotation names; the others are counted. */
const PATHS_NAMED = 10;

/** What the checks ask the disk. */
export interface HandoffProbes {
  /** Whether a path as the document has it, relative to the workspace or absolute or from `~`, is there. */
  exists(path: string): boolean;
  /** The document as it was written: reading it leaves pasted code out. */
  source: string;
}

/**
 * Looks a handoff over for what its successor would stumble on: paths of the scene that are not there, a next step
 * that says nothing, pasted contents. Judges nothing else and forbids nothing.
 * @returns annotations in English, one line each; none when nothing was found.
 */
export function checkHandoff(
  handoff: Sections<"handoff">,
  { exists, source }: HandoffProbes,
): readonly string[] {
  const missing = pathsIn(handoff.scene).filter((path) => !exists(path));
  const whole = readSections(source, "handoff", { required: REQUIRED });
  const pasted = (["doing", "decided", "deadEnds", "next", "scene"] as const).filter(
    (name) => holdsContents(handoff[name]) || holdsContents(whole[name]),
  );
  return [
    ...(missing.length > 0 ? [`The scene names paths that do not exist: ${listed(missing)}.`] : []),
    ...(saysNothing(handoff.next) ? ["The next step says nothing that could be acted on."] : []),
    ...pasted.map((name) => `${TITLES[name]} holds pasted code or output instead of a path to it.`),
  ];
}

const TITLES = {
  doing: "What is under way",
  decided: "The list of decisions",
  deadEnds: "The list of dead ends",
  next: "The next step",
  scene: "The scene",
} as const;

function listed(paths: readonly string[]): string {
  const more = paths.length - PATHS_NAMED;
  return paths.slice(0, PATHS_NAMED).join(", ") + (more > 0 ? ` and ${more} more` : "");
}

/** `src/a.ts:12:3` and `src/a.ts#L12` point into a file. */
const POSITION = /(?::\d+(?:-\d+)?(?::\d+)?|#L\d+(?:-L?\d+)?)$/;
const FILE = /^(?:[\w@+.~-]*\/)*[\w@+.-]*\.(?=\w*[A-Za-z])\w{1,8}$/;
/** Without a slash `config.ts` is a file and `handoff.parse` is none: only the extension tells. */
const FILE_NAME = new RegExp(
  `^[\\w@+.-]*\\.(?:${[
    ...["md", "txt", "log", "csv", "tsv", "pdf", "svg", "png", "jpe?g", "html?", "s?css", "xml", "ipynb"],
    ...[
      "jsonl?",
      "ya?ml",
      "toml",
      "ini",
      "conf",
      "lock",
      "env",
      "gitignore",
      "npmrc",
      "sql",
      "sh",
      "bash",
      "zsh",
    ],
    ...["[cm]?[jt]sx?", "py", "rb", "go", "rs", "java", "kt", "swift", "php", "cs", "[ch](?:c|pp)?", "vue"],
  ].join("|")})$`,
);
const ROOTED = /^(?:\/|~\/|\.{1,2}\/)[\w@+.~-]+(?:\/[\w@+.~-]+)*\/?$/;
const RELATIVE = /^\.?[\w+-][\w@+.~-]*(?:\/[\w@+.~-]+)*\/?$/;
/** A remote's branches, media types and addresses look like paths. */
const NO_PATH = /^(?:origin|upstream|refs|text|image|audio|video|application)\/|^(?:\d+\/)*\d+$|:\/\//;
/** Words beside which a name with slashes may just as well be a branch, or a service's route. */
const BRANCH = /\bbranch(?:es)?\b|\bramos?\b|\bzweige?\b|\bworktree\b|分支/i;
const ROUTE = /\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s+`?$/;

/**
 * Paths that a text names. In backticks anything with a slash or a file's name, elsewhere only what is rooted or ends in
 * a file with an extension behind a slash: rather miss one than doubt ordinary words.
 */
function pathsIn(text: string): string[] {
  const paths = new Set<string>();
  for (const line of text.split("\n")) {
    const plain = line.replace(/`([^`]+)`/g, (_all, quoted: string, at: number) => {
      const path = pathOf(quoted);
      const isPath = path.includes("/")
        ? FILE.test(path) || ROOTED.test(path) || (RELATIVE.test(path) && !BRANCH.test(line))
        : FILE_NAME.test(path);
      if (isPath && !NO_PATH.test(path) && !ROUTE.test(line.slice(0, at))) paths.add(path);
      return " ";
    });
    for (const found of plain.matchAll(/[^\s,;()[\]{}<>"'|*\uff0c\u3002\u3001\uff1b\uff1a\uff08\uff09]+/g)) {
      const path = pathOf(found[0].replace(/[.:!?]+$/, ""));
      const isPath = path.includes("/") && (FILE.test(path) || (ROOTED.test(path) && /\/.*\//.test(path)));
      if (isPath && !NO_PATH.test(path) && !ROUTE.test(plain.slice(0, found.index))) paths.add(path);
    }
  }
  return [...paths];
}

function pathOf(word: string): string {
  return word.trim().replace(POSITION, "");
}

/** Words of which a next step may consist without naming anything to act on, in all locales. */
const EMPTY_WORDS: ReadonlySet<string> = new Set(
  [
    "continue continuing proceed go going keep on carry resume finish complete do doing with from where i we you it left",
    "off as planned the a this that work working task tasks job next step steps remaining rest plan and then so far to",
    "implementation implementing implement development developing coding building build project",
    "is what was before now please just all of still in progress ongoing see above tbd todo more same up pick here there",
    "stopped feature features",
    "weiter weitermachen weiterarbeiten fortfahren fortsetzen weiterführen mit der die das den dem arbeit aufgabe wie",
    "implementierung implementieren umsetzung umsetzen entwicklung entwickeln projekt",
    "geplant bisher an am plan nächsten nächster schritt schritte restlichen rest fertig machen wo ich wir aufgehört",
    "habe haben und dann bitte siehe oben es einfach so zu beenden abschließen",
    "continuar continue continuando prosseguir seguir retomar terminar concluir com o os as em frente trabalho tarefa",
    "tarefas próximo próxima passo etapa passos restante resto como planejado plano de onde parei parou paramos e depois",
    "implementação implementar implementando desenvolvimento desenvolver projeto",
    "que ainda falta do da no na ver acima fazer isso aqui",
  ].flatMap((words) => words.split(" ")),
);

/** The same for Chinese, which has no spaces between words; longer ones first. */
const EMPTY_WORDS_ZH =
  /接下来的|剩下的|剩余的|当前的|按计划|下一步|接下来|继续|接着|往下|完成|推进|进行|处理|工作|任务|实现|开发|编写|代码|项目|功能|事情|步骤|之前|上面|目前|现在|手头|计划|按照|原来|一样|剩余|当前|做|干|按|的|地|把|就|再|吧|了|下去|请|我们|我|所有|未/g;

/** True for "none", and for words that only say that work goes on. */
function saysNothing(next: string): boolean {
  if (next === "") return false;
  if (saysNone(next)) return true;
  const rest = next
    .normalize("NFKC")
    .toLowerCase()
    .replace(EMPTY_WORDS_ZH, " ")
    .split(/[^\p{L}\p{N}\p{M}]+/u);
  return rest.every((word) => word === "" || EMPTY_WORDS.has(word));
}

/** Whether a section holds a long block of code, fenced or indented. */
function holdsContents(section: string): boolean {
  return codeRanges(section.split("\n")).some(({ from, to, fenced, closed }) => {
    const marks = fenced ? (closed ? 2 : 1) : 0;
    return to - from + 1 - marks >= PASTED_LINES;
  });
}
