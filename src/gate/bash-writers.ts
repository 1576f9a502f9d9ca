import { posix } from "node:path";
import { tarWords } from "./bash-readers.ts";
import { plain, type Arg } from "./bash-words.ts";
import { grammar, readOptions, type Grammar, type Options } from "./options.ts";

/** A word that names what a command writes. */
export interface WriteTarget {
  readonly arg: Arg;
  /** It is removed or moved away with all that is in it. */
  readonly tree: boolean;
}

/** Which operands a program writes. `copied`: the last one, or that of `-t`, and what lands in it. */
type Written = "all" | "first" | "second" | "last" | "behind first" | "copied" | "none";

interface Facts {
  readonly options: Grammar;
  readonly operands: Written;
  /** Options whose value is a file or directory that is written. */
  readonly into: readonly string[];
  /** With one of these what is written goes or changes with all that is in it. */
  readonly tree: readonly string[];
  /** Operands are written only with one of these options, or not with one of those. */
  readonly when: readonly string[] | undefined;
  readonly unless: readonly string[];
  /** Options that stand for the first operand, as `-e` for the script of an editor. */
  readonly instead: readonly string[];
  /** Sources are taken away. */
  readonly moves: boolean;
  /** Without any of these (or an operand that is written) it writes into the working directory. */
  readonly here: boolean;
}

const words = (text: string): string[] => text.split(" ").filter((word) => word !== "");

/** One line of the table: programs, their options, which operands they write, and what else is to be known. */
function row(
  names: string,
  options: string,
  operands: Written,
  facts: {
    into?: string;
    tree?: string;
    when?: string;
    unless?: string;
    instead?: string;
    moves?: boolean;
    here?: boolean;
  } = {},
): [string, Facts][] {
  const { into = "", tree = "", when, unless = "", instead = "", moves = false, here = false } = facts;
  const known: Facts = {
    options: grammar(options),
    operands,
    into: words(into),
    tree: words(tree),
    when: when === undefined ? undefined : words(when),
    unless: words(unless),
    instead: words(instead),
    moves,
    here,
  };
  return words(names).map((name) => [name, known]);
}

const COPY =
  "t|target-directory= S|suffix= r|R|recursive a|archive f|force b|backup? T|no-target-directory s|symbolic";
const OUTPUT = "o|output= O? W= D= I= L= l= f= x= c S g r a u k q";

/** Options of curl, as {@link grammar} takes them. */
export const CURL_OPTIONS =
  "o|output= O|remote-name output-dir= D|dump-header= c|cookie-jar= trace= trace-ascii= stderr= hsts= alt-svc= libcurl= " +
  "etag-save= A= b= C= d|data= data-raw= data-binary= json= e= E= F|form= H|header= K= m= P= Q= r= t= T|upload-file= u= U= " +
  "w= x= X|request= y= Y= z= url= s S L k f i I v g G N n j J R Z # a B l M p q 0 1 2 3 4 6 remote-name-all";

const FACTS: ReadonlyMap<string, Facts> = new Map([
  ...row(
    "rm",
    "r|R|recursive f|force i I d|dir v|verbose one-file-system preserve-root? interactive?",
    "all",
    { tree: "r" },
  ),
  ...row("rimraf del-cli trash trash-put", "", "all", { tree: "*" }),
  ...row("rmdir unlink sponge ed ex vi vim nvim nano emacs", "p c= cmd= u=", "all"),
  ...row(
    "venv virtualenv",
    "p|python= prompt= cache-dir= index-url= seeder= app-data= extra-search-dir= upgrade-deps clear upgrade seed",
    "all",
    { here: true },
  ),
  ...row("shred", "n|iterations= s|size= random-source= u|remove?", "all"),
  ...row("touch", "d|date= t= r|reference= time= a c|no-create m", "all"),
  ...row("mkdir mkfifo", "m|mode= p|parents", "all"),
  ...row("mknod", "m|mode=", "first"),
  ...row("tee", "a|append i p|output-error?", "all"),
  ...row("truncate fallocate", "s|size= r|reference= l|length= o|offset= c n", "all"),
  ...row(
    "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd lzma compress",
    "c|stdout|to-stdout l|list t|test S|suffix= T|threads= o= k",
    "all",
    {
      unless: "c l t",
      into: "o",
    },
  ),
  // `chmod -x file`: what looks like options is the mode.
  ...row("chmod chown chgrp chattr", "R|recursive reference= from= f v c r w x X s t", "behind first", {
    tree: "R",
    instead: "reference r w x X s t",
  }),
  ...row("setfacl", "R|recursive m|modify= x|remove= M= X= b k", "all", { tree: "R" }),
  ...row("cp gcp", COPY, "copied"),
  ...row("install", `${COPY} m|mode= o|owner= g|group= directory|d D strip-program=`, "copied"),
  ...row("ln", COPY, "copied", { here: true }),
  ...row("mv gmv", COPY, "copied", { moves: true }),
  ...row("link", "", "second"),
  ...row("scp", "r F= i= P= c= J= l= o= S= 3 4 6 p q v C", "last"),
  ...row(
    "rsync",
    "r|recursive a|archive e|rsh= f|filter= exclude= include= exclude-from= include-from= files-from= B= M= T|temp-dir= backup-dir= " +
      "partial-dir= log-file= delete del delete-before delete-during delete-after delete-delay delete-excluded remove-source-files suffix=",
    "last",
    {
      into: "T backup-dir partial-dir log-file",
      tree: "delete del delete-before delete-during delete-after delete-delay delete-excluded",
    },
  ),
  ...row(
    "sed gsed",
    "i|in-place? e|expression= f|file= l|line-length= n|quiet|silent E|r|regexp-extended s z u b posix debug",
    "all",
    {
      when: "i",
      instead: "e f",
    },
  ),
  ...row(
    "perl ruby",
    "i? e= E= I= M= m= F? C? x? D? r= p n l a w W s S t T u U c h v 0 1 2 3 4 5 6 7",
    "all",
    { when: "i", instead: "e E" },
  ),
  ...row(
    "awk gawk mawk nawk",
    "i|include= f|file= v|assign= F|field-separator= e|source= E|exec= l|load= o|pretty-print? d|dump-variables? p|profile?",
    "all",
    {
      when: "i=inplace",
      instead: "f e E",
      into: "o d p",
    },
  ),
  ...row("yq", "i|inplace o|output-format= p|input-format= P C M N n", "behind first", { when: "i" }),
  ...row("prettier", "w|write c|check l config= ignore-path= parser= plugin=", "all", { when: "w" }),
  ...row(
    "patch",
    "d|directory= o|output= r|reject-file= i|input= p|strip= F|fuzz= B|prefix= b D= V= Y= z= g= R N f t s E l dry-run",
    "first",
    {
      into: "d o r",
      here: true,
      unless: "dry-run",
    },
  ),
  ...row(
    "split csplit",
    "f|prefix= a|suffix-length= b|bytes= C|line-bytes= l|lines= n|number= t|separator= additional-suffix= filter= d|numeric-suffixes? x e k s u z",
    "second",
    {
      into: "f",
      here: true,
    },
  ),
  ...row("uniq", "f|skip-fields= s|skip-chars= w|check-chars= c d D u i z", "second"),
  ...row("xxd", "- a b c= cols= g= l= len= s= seek= o= n= i p ps plain r revert u", "second"),
  ...row("mktemp", "p= tmpdir? suffix= d|directory u|dry-run q|quiet t", "all", {
    into: "p tmpdir",
    unless: "u p tmpdir t",
  }),
  ...row(
    "sqlite3",
    "- readonly init= cmd= separator= newline= nullvalue= vfs= mmap= json csv header line list html box table batch bail",
    "first",
    {
      unless: "readonly",
    },
  ),
  ...row("zip", "r|recurse-paths x|exclude= i|include= b= O|out= P= t= tt= n= s= m|move q u d f T", "first", {
    into: "O",
  }),
  ...row("unzip", "d= x= P= l p t Z z v o n q j a", "none", { into: "d", here: true, unless: "l p t Z z v" }),
  ...row("7z 7za 7zr", "o= p= m= t= x= i= y r", "none", { into: "o" }),
  ...row(
    "tar bsdtar gtar",
    "x|extract|get c|create r|append u|update A|catenate t|list delete f|file= C|directory= one-top-level? T|files-from= X|exclude-from= exclude= b= F= g|listed-incremental= H= I= K= L= N= V= to-command= use-compress-program= checkpoint-action= transform= remove-files O|to-stdout z j J v a p m k w",
    "none",
    {
      into: "one-top-level g",
    },
  ),
  ...row("cpio", "o|create i|extract p|pass-through O= F|file= D|directory= E= H= I= d m u v", "first", {
    into: "O F D",
  }),
  ...row("curl", CURL_OPTIONS, "none", {
    into: "o output-dir D c trace trace-ascii stderr hsts alt-svc libcurl etag-save",
  }),
  ...row(
    "wget",
    "O|output-document= P|directory-prefix= o|output-file= a|append-output= save-cookies= warc-file= A= B= D= e= G= i= I= l= Q= R= t= T= U= w= X= n? q c r k p m N S 4 6 E F H K L b d v x spider",
    "none",
    { into: "O P o a save-cookies warc-file", here: true, unless: "spider" },
  ),
  ...row("aria2c", "d|dir= o|out= l|log= i= j= s= x=", "none", { into: "d o l" }),
  ...row("script", "c|command= O|log-out= I|log-in= B|log-io= T|log-timing= o= E= q a e f", "first", {
    into: "O I B T",
  }),
  ...row("time strace ltrace perf", "o|output= f= p= e=", "none", { into: "o" }),
  ...row(
    "sort shuf iconv gcc g++ cc c++ clang clang++ ld rustc pandoc gpg strip objcopy tree protoc bison dot",
    OUTPUT,
    "none",
    { into: "o" },
  ),
  ...row("esbuild tsc", "outfile= outdir= outDir= outFile= declarationDir=", "none", {
    into: "outfile outdir outDir outFile declarationDir",
  }),
  ...row("go", "o= C= tags= ldflags=", "none", { into: "o" }),
  ...row(
    "openssl",
    "- out= keyout= in= inkey= CA= CAkey= days= subj= newkey= passin= passout= pass=",
    "none",
    { into: "out keyout" },
  ),
  ...row("ssh-keygen", "f= t= b= C= N= P= q y l", "none", { into: "f", unless: "y l" }),
  ...row("npm pnpm yarn", "prefix= C|dir= cwd= w|workspace= F|filter=", "none", { into: "prefix C cwd" }),
  ...row("pip pip3", "t|target= prefix= root= r= c= e= d|dest= i=", "none", { into: "t prefix root d" }),
]);

const one = (arg: Arg): WriteTarget => ({ arg, tree: false });
const whole = (arg: Arg): WriteTarget => ({ arg, tree: true });

/** What a command writes, as far as its words tell. */
export function writeTargets(name: string, args: readonly Arg[]): readonly WriteTarget[] {
  if (name === "dd")
    return args.flatMap((arg) => (arg.text?.startsWith("of=") ? one(plain(arg.text.slice(3))) : []));
  const facts = FACTS.get(name);
  if (facts === undefined) return [];
  const options = readOptions(tarWords(name, args), facts.options);
  const into = [...options.values(...facts.into), ...editorFiles(name, options)].map(one);
  if (/^(bsd|g)?tar$/.test(name)) return [...into, ...tarTargets(options)];
  if (name === "curl" && options.has("O", "remote-name-all") && !options.has("output-dir"))
    into.push(one(plain(".")));
  if (options.has(...facts.unless) || (facts.when !== undefined && !isGiven(facts.when, options)))
    return into;
  const written = operandTargets(facts, options);
  const targets = [...into, ...written];
  return facts.here && targets.length === 0 ? [one(plain("."))] : targets;
}

/** `:w file` and its like, behind a range of lines as the case may be. */
const SAVES =
  /^[\s:]*[\d,%$.'<>+-]*(?:w(?:rite|q)?|x(?:it)?|sav(?:eas)?|up(?:date)?)\b!?\s*(?:>>)?\s*([^\s!].*)$/;

/** Files that an editor is told to write by a command on its command line. */
function editorFiles(name: string, { operands, values }: Options): readonly Arg[] {
  if (!/^(ex|n?vim?)$/.test(name)) return [];
  const plus = operands.flatMap(({ text }) => (text?.startsWith("+") === true ? text.slice(1) : []));
  const commands = [...values("c", "cmd").map(({ text }) => text ?? ""), ...plus];
  return commands
    .flatMap((command) => command.split("|"))
    .flatMap((command) => SAVES.exec(command)?.[1] ?? [])
    .map(plain);
}

function isGiven(when: readonly string[], options: Options): boolean {
  return when.some((text) => {
    const [name = "", value] = text.split("=");
    return value === undefined
      ? options.has(name)
      : options.values(name).some((given) => given.text === value);
  });
}

function operandTargets(facts: Facts, options: Options): readonly WriteTarget[] {
  const { operands, has } = options;
  const isTree = facts.tree.includes("*") || has(...facts.tree);
  const target = isTree ? whole : one;
  const given = has(...facts.instead);
  switch (facts.operands) {
    case "none":
      return [];
    case "all":
      // The script of an editor is the first operand unless an option brought it.
      return operands.slice(facts.instead.length > 0 && !given ? 1 : 0).map(target);
    case "behind first":
      return operands.slice(given ? 0 : 1).map(target);
    case "first":
      return operands.slice(0, 1).map(fileOf).map(target);
    case "second":
      return operands.slice(1, 2).map(target);
    case "last":
      return [
        ...operands
          .slice(-1)
          .filter(({ text }) => !/^[^/]+:/.test(text ?? ""))
          .map(target),
        ...(has("remove-source-files") ? operands.slice(0, -1).map(one) : []),
      ];
    case "copied":
      return copied(facts, options);
  }
}

/** `file:books.db?mode=rwc`, as SQLite takes it; one that is opened to be read counts as standard input. */
function fileOf(arg: Arg): Arg {
  const [, path, query = ""] = /^file:(?:\/\/(?=\/))?([^?]*)(\?.*)?$/s.exec(arg.text ?? "") ?? [];
  if (path === undefined) return arg;
  return plain(/[?&](mode=ro|immutable=1)\b/.test(query) ? "-" : path);
}

/**
 * Copies go to the last operand or to that of `-t`. It may be a directory: then the name of what is copied in counts
 * as well. What is moved away leaves its place with all that is in it.
 */
function copied({ moves }: Facts, { operands, values, has }: Options): readonly WriteTarget[] {
  if (has("directory")) return operands.map(one);
  const directory = values("t")[0];
  const target = directory ?? (operands.length > 1 ? operands.at(-1) : undefined);
  const sources = directory === undefined && operands.length > 1 ? operands.slice(0, -1) : operands;
  const into = target?.text ?? (operands.length === 1 && directory === undefined ? "." : undefined);
  const inside = sources.flatMap(({ text }): Arg[] =>
    text === undefined || into === undefined ? [] : [plain(`${into}/${posix.basename(text)}`)],
  );
  return [
    ...(target === undefined ? [] : [one(target)]),
    ...inside.map(one),
    ...(moves ? sources.map(whole) : []),
  ];
}

/** Packing writes the archive, unpacking the directory of `-C`, the working directory without one. */
function tarTargets({ has, values, operands }: Options): readonly WriteTarget[] {
  const directories = values("C").map(one);
  const archives = values("f")
    .filter(({ text }) => !/^[^/]+:/.test(text ?? ""))
    .map(one);
  if (has("x")) return has("O") ? [] : directories.length > 0 ? directories : [one(plain("."))];
  if (has("t")) return [];
  return [...archives, ...(has("remove-files") ? operands.map(whole) : [])];
}
