/** First words of commands that make something public or change a running system; `*` stands for any word. */
const PUBLISHING = [
  "npm publish",
  "npm unpublish",
  "npm deprecate",
  "npm dist-tag",
  "pnpm publish",
  "yarn publish",
  "yarn npm publish",
  "bun publish",
  "npm run deploy",
  "npm run publish",
  "pnpm deploy",
  "pnpm run deploy",
  "yarn deploy",
  "yarn run deploy",
  "bun run deploy",
  "make deploy",
  "make publish",
  "docker push",
  "docker image push",
  "docker compose push",
  "podman push",
  "kubectl apply",
  "kubectl create",
  "kubectl delete",
  "kubectl replace",
  "kubectl patch",
  "kubectl scale",
  "kubectl set",
  "kubectl edit",
  "kubectl rollout",
  "kubectl run",
  "kubectl expose",
  "helm install",
  "helm upgrade",
  "helm uninstall",
  "helm rollback",
  "helm push",
  "terraform apply",
  "terraform destroy",
  "terraform import",
  "tofu apply",
  "tofu destroy",
  "pulumi up",
  "pulumi destroy",
  "vercel deploy",
  "vercel promote",
  "netlify deploy",
  "fly deploy",
  "fly launch",
  "flyctl deploy",
  "flyctl launch",
  "railway up",
  "firebase deploy",
  "wrangler deploy",
  "wrangler publish",
  "wrangler pages deploy",
  "serverless deploy",
  "sls deploy",
  "cdk deploy",
  "cdk destroy",
  "gcloud app deploy",
  "gcloud run deploy",
  "gcloud functions deploy",
  "aws s3 cp",
  "aws s3 sync",
  "aws s3 mv",
  "aws s3 rm",
  "aws * deploy",
  "eb deploy",
  "heroku container:release",
  "cargo publish",
  "gem push",
  "twine upload",
  "poetry publish",
  "uv publish",
  "flit publish",
  "hatch publish",
  "mvn deploy",
  "gradle publish",
  "gradlew publish",
  "dotnet nuget",
  "pod trunk",
  "vsce publish",
  "ovsx publish",
  "glab mr create",
  "glab mr merge",
  "glab release create",
].map((line) => line.split(" "));

/** Verbs of `gh` that change nothing on the server. */
const GH_READS = new Set([
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
]);

/** Whether a command pushes, publishes or deploys. `words` are those behind the program; unknown ones are empty. */
export function publishes(program: string, words: readonly string[]): boolean {
  const operands = words.filter((word) => !word.startsWith("-"));
  const [first = "", second = ""] = operands;
  if (words.includes("--dry-run") || words.includes("--help")) return false;
  if (program === "git") return false; // judged with the other git rules
  if (program === "gh") return ghChanges(first, second, words);
  if (program === "vercel" && operands.length === 0)
    return !words.some((word) => /^(-v|--version)$/.test(word));
  if (program === "docker" && operands.includes("build")) return words.includes("--push");
  if (program === "scp" || program === "rsync") return /^[^/]+:/.test(operands.at(-1) ?? "");
  if (/^python[\d.]*$/.test(program) && words[0] === "-m") return publishes(words[1] ?? "", words.slice(2));
  return PUBLISHING.some(
    ([name, ...verbs]) => name === program && verbs.every((verb, i) => verb === "*" || verb === operands[i]),
  );
}

function ghChanges(thing: string, verb: string, words: readonly string[]): boolean {
  if (thing === "api") {
    const method = words.findIndex((word) => word === "-X" || word === "--method");
    if (method !== -1) return words[method + 1]?.toUpperCase() !== "GET";
    return words.some((word) => /^(-[fF]$|-X|--(raw-)?field|--input|--method=(?!GET$))/.test(word));
  }
  return GH_THINGS.has(thing) && !GH_READS.has(verb);
}
