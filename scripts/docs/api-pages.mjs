// API pages: what the package's three entry points export, with their doc comments, as Markdown for the site.
import { rmSync } from "node:fs";
import { Application } from "typedoc";
import { load as asMarkdown } from "typedoc-plugin-markdown";

/** Name of each entry point for those who import it. */
const ENTRIES = {
  "src/index.ts": "flower-agent",
  "src/testing/index.ts": "flower-agent/testing",
  "src/store/index.ts": "flower-agent/stores",
};

/** Writes docs/reference/api anew. Throws when the sources cannot be read, or an export has no doc comment. */
export async function writeApiPages(root) {
  const out = `${root}/docs/reference/api`;
  rmSync(out, { recursive: true, force: true });
  const app = await Application.bootstrapWithPlugins({
    name: "API",
    entryPoints: Object.keys(ENTRIES).map((entry) => `${root}/${entry}`),
    tsconfig: `${root}/tsconfig.build.json`,
    plugin: [asMarkdown],
    // Its default place is docs/, and it empties its place first.
    out,
    cleanOutputDir: false,
    router: "member",
    // Types are checked by `npm run check`.
    skipErrorChecking: true,
    readme: "none",
    logLevel: "Warn",
    validation: { notDocumented: true, notExported: false, invalidLink: false },
    requiredToBeDocumented: ["Class", "Interface", "Function", "TypeAlias", "Variable", "Method", "Accessor"],
    disableSources: true,
    excludePrivate: true,
    excludeInternal: true,
    hidePageHeader: true,
    hideBreadcrumbs: true,
    entryFileName: "index",
    indexFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    propertyMembersFormat: "table",
    parametersFormat: "table",
    typeDeclarationFormat: "table",
    pageTitleTemplates: {
      index: ({ projectName }) => projectName,
      module: ({ name }) => name,
      member: ({ name }) => name,
    },
  });
  const project = await app.convert();
  if (project === undefined) throw new Error("TypeDoc could not read the sources: see the lines above");
  for (const module of project.children ?? []) {
    const source = module.name === "index" ? "src/index.ts" : `src/${module.name}/index.ts`;
    module.name = ENTRIES[source] ?? module.name;
  }
  app.validate(project);
  if (app.logger.validationWarningCount > 0) throw new Error("what the lines above name needs a doc comment");
  await app.generateOutputs(project);
}
