import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);

/** The package as `npm pack` makes it of the built tree. Sizes in bytes. */
export interface Packed {
  tarball: string;
  size: number;
  unpackedSize: number;
  files: ReadonlyArray<{ path: string; size: number }>;
  /** Removes the tarball. */
  remove(): Promise<void>;
}

/** Packs into a temp directory. Call `remove` when done. */
export async function pack(): Promise<Packed> {
  const dir = await mkdtemp(join(tmpdir(), "flower-pack-"));
  const { stdout } = await run("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", dir], {
    cwd: ROOT,
  });
  const [packed] = JSON.parse(stdout) as Array<Omit<Packed, "tarball" | "remove"> & { filename: string }>;
  if (packed === undefined) throw new Error(`npm pack said: ${stdout}`);
  return {
    ...packed,
    tarball: join(dir, packed.filename),
    remove: async () => rm(dir, { recursive: true, force: true }),
  };
}

/**
 * What `npm install <tarball>` leaves in a directory, without a network: the package unpacked, its command linked, and
 * what it depends on (nothing else) linked from the repository.
 */
export async function install(tarball: string, directory: string): Promise<void> {
  const modules = join(directory, "node_modules");
  const home = join(modules, "flower-agent");
  await mkdir(home, { recursive: true });
  await run("tar", ["-xzf", tarball, "-C", home, "--strip-components=1"]);
  const { dependencies, bin } = JSON.parse(await readFile(join(home, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
    bin: Record<string, string>;
  };
  for (const name of Object.keys(dependencies))
    await link(join(ROOT, "node_modules", name), join(modules, name));
  for (const [name, path] of Object.entries(bin)) await link(join(home, path), join(modules, ".bin", name));
}

async function link(target: string, path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await symlink(target, path);
}
