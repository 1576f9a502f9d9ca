// Imports go downwards only: each layer may import the layers before it in this list, never one after it.
// One line a layer; folders of one line may not import each other.
const LAYERS = [
  ["core"],
  ["documents", "context"],
  ["gate", "store"],
  ["roles", "workbench", "human", "config", "isolation", "notify"],
  ["harness"],
  ["runtime"],
  ["workflow"],
  ["testing"],
  ["cli"],
];

const path = (names) => `^src/(${names.join("|")})/`;

module.exports = {
  forbidden: [
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...LAYERS.slice(0, -1).map((names, i) => ({
      name: `imports-go-downwards-from-${names.join("-")}`,
      severity: "error",
      from: { path: path(names) },
      to: { path: path(LAYERS.slice(i + 1).flat()) },
    })),
    ...LAYERS.filter((names) => names.length > 1).flatMap((names) =>
      names.map((name) => ({
        name: `${name}-stands-alone`,
        severity: "error",
        from: { path: path([name]) },
        to: { path: path(names.filter((other) => other !== name)) },
      })),
    ),
    {
      name: "only-harness-imports-the-sdk",
      severity: "error",
      from: { path: "^src/", pathNot: "^src/harness/" },
      to: { path: "@anthropic-ai/claude-agent-sdk" },
    },
    {
      name: "rules-are-pure",
      comment: "documents, context and gate know neither disk nor processes nor network",
      severity: "error",
      from: { path: "^src/(documents|context|gate)/" },
      to: { dependencyTypes: ["core"], pathNot: "^(node:)?(path|crypto)$" },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: { exportsFields: ["exports"], conditionNames: ["import", "types", "default"] },
  },
};
