import type { Arg } from "./bash-words.ts";
import { CURL_OPTIONS } from "./bash-writers.ts";
import { grammar, readOptions, type Grammar, type Options } from "./options.ts";

/**
 * What makes something public or changes a running system: a program and its verbs. Of several lines behind `,` each
 * is one. `*` stands for any word, `**` for any number of them, `deploy:*` for a name that begins so.
 */
const PUBLISHING = [
  "npm pu*, unp*, deprecate, dist-tag add, dist-tag rm, stage publish, access set, owner add",
  "npm run|run-script|rum|urn deploy|deploy:*|publish|publish:*",
  "pnpm publish, deploy, deploy:*, run deploy|deploy:*|publish|publish:*",
  "yarn publish, npm publish, deploy, run deploy|deploy:*|publish|publish:*",
  "yarn workspace * publish|deploy, workspace * npm publish, workspace * run deploy|publish",
  "yarn workspaces ** publish, workspaces ** deploy",
  "bun publish, run deploy|deploy:*|publish|publish:*",
  "lerna publish; changeset publish; changesets publish; semantic-release **; release-it **; np **; gh-pages **; surge **",
  "jsr publish; deno publish; deno deploy; vsce publish; ovsx publish",
  "make|gmake|just|task|rake|nx|turbo ** deploy|deploy:*|publish|publish:*",
  "docker|podman|nerdctl push, image push, manifest push, compose ** push, stack deploy, plugin push, trust sign, service create|update",
  "docker-compose ** push; skopeo copy|sync; crane push|copy; oras push; buildah push; ko apply|publish",
  "kubectl|oc apply, create, delete, replace, patch, scale, set, edit, rollout, run, expose, annotate, label, drain, cordon, taint, autoscale",
  "helm install, upgrade, uninstall, delete, rollback, push; helmfile apply|sync|destroy; skaffold run|deploy|delete; argocd app sync|create|delete|set",
  "terraform|tofu|terragrunt|cdktf ** apply, ** destroy, import, deploy, state rm|mv|push, run-all apply",
  "pulumi up, update, destroy, import; ansible-playbook **",
  "vercel|vc deploy, promote, rollback, alias, redeploy; netlify|ntl|netlify-cli deploy",
  "fly|flyctl deploy, launch, scale, secrets; railway up; firebase|firebase-tools deploy; wrangler deploy, publish, pages deploy|publish",
  "serverless|sls deploy, remove; cdk|aws-cdk deploy, destroy; sam deploy, delete; amplify push, publish; eb deploy, create, terminate; cf push",
  "gcloud ** deploy, builds submit, storage cp|rsync|mv|rm; gsutil ** cp|mv|rm|rsync; az ** deploy|up|create|delete|update",
  "aws s3 cp|sync|mv|rm|mb|rb, * deploy, s3api put-object|delete-object, lambda update-function-code, ecs update-service, cloudformation create-stack|update-stack|delete-stack",
  "heroku container:release, container:push, deploy:*; cargo publish, yank; gem push, yank; twine upload; flit publish; hatch publish",
  "poetry publish; uv publish; pdm publish; mvn|mvnw ** deploy, ** release:*, ** deploy:*; gradle|gradlew ** publish*, ** *:publish*, ** upload*",
  "sbt ** publish*; dotnet nuget push|delete; nuget push; pod trunk; mix hex.publish; dart|flutter pub publish; composer publish",
  "mkdocs gh-deploy; mike deploy, delete, alias; hg push; svn|svnmucc ** commit, ** ci, import; fossil push, sync; bzr push; jj git push",
  "eas|eas-cli submit, update, update:republish, deploy; expo|expo-cli publish",
  "rclone copy|copyto|copyurl|sync|bisync|move|moveto|delete|deletefile|purge|rmdirs; sftp **; lftp **; ncftpput **",
  "glab mr create|merge|close|update|note, release create|delete|upload, issue create|close|update, repo create|delete; hub pull-request, release create, create; goreleaser release",
].flatMap((line) => line.split("; ").flatMap(linesOf));

/** `a|b c d|e, f` → every combination as one row of words. */
function linesOf(text: string): string[][] {
  const [programs = "", ...rest] = text.split(" ");
  return rest
    .join(" ")
    .split(", ")
    .flatMap((verbs) => [programs, ...verbs.split(" ")].reduce<string[][]>(withEach, [[]]));
}

function withEach(rows: string[][], choice: string): string[][] {
  return rows.flatMap((row) => choice.split("|").map((word) => [...row, word]));
}

/** Options with values that may stand in front of a verb. Others that are not known are taken either way. */
const GRAMMARS: ReadonlyMap<string, Grammar> = new Map(
  Object.entries({
    curl: CURL_OPTIONS,
    npm: "w|workspace= prefix= C= registry= userconfig= tag= access= otp= loglevel= s|silent q|quiet ws|workspaces if-present",
    pnpm: "C|dir= F|filter= r|recursive s|silent w|workspace-root if-present",
    yarn: "cwd= s|silent",
    kubectl:
      "n|namespace= context= cluster= kubeconfig= s|server= f|filename= l|selector= o|output= A|all-namespaces",
    helm: "n|namespace= kube-context= kubeconfig= f|values= set= version=",
    docker:
      "c|context= H|host= l|log-level= config= f|file= t|tag= D|debug p|project-name= push o|output= profile=",
    gh: "R|repo= hostname= X|method= f|raw-field= F|field= input= H|header= q|jq= t|template= json= L|limit= s|state= w|web p|paginate i|include",
    aws: "profile= region= output= endpoint-url= query= debug no-cli-pager no-sign-request",
    make: "C|directory= f|file= j|jobs? I= o= W= s k n|just-print|dry-run|recon q|question B",
  }).map(([name, text]) => [name, grammar(text)]),
);
const ANY = grammar("");

/** Verbs of `gh` that change nothing on the server. */
const GH_READS = new Set([
  "",
  "view",
  "list",
  "ls",
  "status",
  "diff",
  "checks",
  "clone",
  "checkout",
  "watch",
  "download",
  "get",
  "verify",
]);
const GH_THINGS = new Set([
  "pr",
  "issue",
  "release",
  "repo",
  "gist",
  "workflow",
  "run",
  "secret",
  "variable",
  "label",
  "project",
  "ruleset",
  "ssh-key",
  "gpg-key",
  "cache",
  "codespace",
]);

/** Whether a command pushes, publishes or deploys; that of git is judged with the other git rules. */
export function publishes(program: string, args: readonly Arg[]): boolean {
  if (isTrial(args)) return false;
  const options = readOptions(args, GRAMMARS.get(program) ?? ANY);
  const { operands, has, values } = options;
  if (program === "gh") return ghChanges(options);
  if (program === "curl") return uploads(options);
  if (program.startsWith("eas") && has("auto-submit", "auto-submit-with-profile")) return true;
  if (program === "vercel" && operands.length === 0) return !has("v", "version", "h");
  if (program === "docker" && operands.some(({ text }) => text === "build" || text === "bake")) {
    return has("push") || values("o").some(({ text }) => /type=registry|push=true/.test(text ?? ""));
  }
  if (program === "scp" || program === "rsync") return /^[^/]+:/.test(operands.at(-1)?.text ?? "");
  if (program === "make" && has("n", "q")) return false;
  return PUBLISHING.some(([name, ...verbs]) => name === program && leads(verbs, operands, options));
}

/** Whether the verbs are those of the command; words that may be an option's value can be passed over. */
function leads(verbs: readonly string[], operands: readonly Arg[], options: Options): boolean {
  const [verb, ...others] = verbs;
  if (verb === undefined) return true;
  if (verb === "**" && leads(others, operands, options)) return true;
  const [operand, ...rest] = operands;
  if (operand === undefined) return false;
  // `cargo +nightly publish`: a toolchain stands in front.
  const mayPass = options.doubtful.has(operand) || operand.text?.startsWith("+") === true;
  if ((verb === "**" || mayPass) && leads(verbs, rest, options)) return true;
  return verb !== "**" && wordMatches(verb, operand.text) && leads(others, rest, options);
}

function wordMatches(pattern: string, text: string | undefined): boolean {
  if (pattern === "*") return true;
  const [head = "", tail] = pattern.split(/\*(?=[^*]*$)/);
  if (text === undefined || tail === undefined) return text === pattern;
  if (/^(deploy|publish):$/.test(head) && isTrialName(text.slice(head.length))) return false;
  return head.startsWith("*") ? text.includes(head.slice(1)) : text.startsWith(head) && text.endsWith(tail);
}

/** What a script is called that comes before publishing: `publish:check`, `deploy:dry-run`. */
const TRIALS = new Set(["dry", "check", "test", "build", "lint", "preview"]);

/** All of its words must be such: `deploy:test-prod` deploys. */
const isTrialName = (name: string): boolean =>
  name
    .replace(/\bdry[-_]?run\b/, "dry")
    .split(/[^a-z\d]+/i)
    .every((word) => TRIALS.has(word));

/** `curl -T file url`, unless the server is one on this machine, as tests start it. */
function uploads({ operands, values, has }: Options): boolean {
  const isLocal = ({ text }: Arg): boolean =>
    /^(https?:\/\/)?(localhost|127(\.\d+){3}|\[::1\])(:\d+)?([/?]|$)/.test(text ?? "");
  return has("T") && ![...operands, ...values("url")].every(isLocal);
}

/**
 * `--dry-run` or `--help`, the last mention counting. Behind another option without `=` it may be that option's
 * value, and then it tells nothing.
 */
function isTrial(args: readonly Arg[]): boolean {
  const end = args.findIndex(({ text }) => text === "--");
  const texts = args.slice(0, end === -1 ? undefined : end).map(({ text }) => text ?? "");
  if (texts.some((text, i) => text === "--help" && !/^-[^=]*$/.test(texts[i - 1] ?? ""))) return true;
  const last = texts.findLastIndex((text) => /^--(no-)?dry-?run(=|$)/.test(text));
  const [said = "", next = "", before = ""] = [texts[last], texts[last + 1], texts[last - 1]];
  if (
    last === -1 ||
    said.startsWith("--no-") ||
    /=(false|0|no|none|off)$/i.test(said) ||
    /^(false|0)$/.test(next)
  )
    return false;
  return !/^-[^=]*$/.test(before);
}

function ghChanges({ operands, values, has, doubtful }: Options): boolean {
  const texts = operands.map(({ text }) => text ?? "");
  if (texts[0] === "api") {
    const method = values("X").at(-1)?.text?.toUpperCase();
    if (texts[1] === "graphql")
      return values("f", "F").some(({ text }) => /^query=\s*mutation/.test(text ?? "")) || has("input");
    return method === undefined ? has("f", "F", "input") : method !== "GET";
  }
  return operands.some((operand, i) => {
    const isThing =
      GH_THINGS.has(texts[i] ?? "") && operands.slice(0, i).every((before) => doubtful.has(before));
    if (!isThing) return false;
    const [verb, behind] = [operands[i + 1], texts[i + 2]];
    const isRead =
      GH_READS.has(texts[i + 1] ?? "") ||
      (verb !== undefined && doubtful.has(verb) && GH_READS.has(behind ?? ""));
    return !isRead || (operand.text === "repo" && texts[i + 1] === "sync");
  });
}
