import type { Locale } from "../core/locale.ts";

/** What is in the way, and what to do about it. */
type Said = readonly [what: string, todo: string];

/** Why workers cannot be isolated. What git says, commands and paths stay as they are. */
export interface RepositoryTexts {
  /** In front of each. */
  refused(what: string): string;
  noGit: Said;
  bare(workspace: string): Said;
  notOne(workspace: string, problem: string): Said;
  below(workspace: string, root: string): Said;
  submodule(workspace: string, above: string): Said;
  noCommit(root: string): Said;
  branchTaken(branch: string): Said;
  statusFails(root: string, problem: string): Said;
  locked(path: string): Said;
  readOnly(dir: string, problem: string): Said;
}

const START = `git add -A && git commit -m "start"`;

/** By locale. */
export const REPOSITORY_TEXTS: Readonly<Record<Locale, RepositoryTexts>> = {
  en: {
    refused: (what) => `workers cannot be isolated: ${what}`,
    noGit: [
      "git is not installed, and isolated workers work in git worktrees",
      "install git, or go on without isolation",
    ],
    bare: (workspace) => [
      `${workspace} is a bare repository, which has no files to work on`,
      "name a checkout of it with --workspace, e.g. one made by `git worktree add`",
    ],
    notOne: (workspace, problem) => [
      `${workspace} cannot be used as a git repository (${problem})`,
      `make one: git init && ${START}, or go on without isolation`,
    ],
    below: (workspace, root) => [
      `${workspace} lies in the repository ${root}, and a worktree is always of the whole of it`,
      `name its root: --workspace ${root}, or go on without isolation`,
    ],
    submodule: (workspace, above) => [
      `${workspace} is a submodule of ${above}`,
      "work in a clone of its own, or go on without isolation",
    ],
    noCommit: (root) => [
      `the repository ${root} has no commit yet, so there is nothing to make a worktree from`,
      `commit first: ${START}, or go on without isolation`,
    ],
    branchTaken: (branch) => [
      `there is a branch named ${branch}, so that git can make none below ${branch}/`,
      `rename it: git branch -m ${branch} <other>`,
    ],
    statusFails: (root, problem) => [`git status fails in ${root}: ${problem}`, "mend that"],
    locked: (path) => [
      `the repository is locked: ${path} is there`,
      "wait until the git command that holds it has ended; if none is running, remove that file",
    ],
    readOnly: (dir, problem) => [
      `the repository cannot be written, so no worktree can be made: ${problem}`,
      `make ${dir} writable, or go on without isolation`,
    ],
  },
  zh: {
    refused: (what) => `无法隔离执行者:${what}`,
    noGit: ["没有安装 git,而隔离的执行者在 git 工作树中工作", "安装 git,或不隔离继续"],
    bare: (workspace) => [
      `${workspace} 是裸仓库,没有可供工作的文件`,
      "用 --workspace 指定它的一份检出,例如用 `git worktree add` 建的",
    ],
    notOne: (workspace, problem) => [
      `${workspace} 不能作为 git 仓库使用(${problem})`,
      `建一个:git init && ${START},或不隔离继续`,
    ],
    below: (workspace, root) => [
      `${workspace} 位于仓库 ${root} 之内,而工作树总是整个仓库的`,
      `指定它的根目录:--workspace ${root},或不隔离继续`,
    ],
    submodule: (workspace, above) => [`${workspace} 是 ${above} 的子模块`, "在单独的克隆中工作,或不隔离继续"],
    noCommit: (root) => [`仓库 ${root} 还没有提交,无从建立工作树`, `先提交:${START},或不隔离继续`],
    branchTaken: (branch) => [
      `有一个名为 ${branch} 的分支,git 因此不能在 ${branch}/ 之下建分支`,
      `改名:git branch -m ${branch} <other>`,
    ],
    statusFails: (root, problem) => [`git status 在 ${root} 中失败:${problem}`, "先解决它"],
    locked: (path) => [`仓库被锁定:存在 ${path}`, "等占用它的 git 命令结束;如果没有在运行,删除该文件"],
    readOnly: (dir, problem) => [`仓库无法写入,因此不能建立工作树:${problem}`, `使 ${dir} 可写,或不隔离继续`],
  },
  pt: {
    refused: (what) => `os executores não podem ser isolados: ${what}`,
    noGit: [
      "o git não está instalado, e executores isolados trabalham em worktrees do git",
      "instale o git ou siga sem isolamento",
    ],
    bare: (workspace) => [
      `${workspace} é um repositório bare, sem arquivos em que trabalhar`,
      "indique um checkout dele com --workspace, p. ex. um feito por `git worktree add`",
    ],
    notOne: (workspace, problem) => [
      `${workspace} não pode ser usado como repositório git (${problem})`,
      `crie um: git init && ${START}, ou siga sem isolamento`,
    ],
    below: (workspace, root) => [
      `${workspace} fica no repositório ${root}, e um worktree é sempre dele inteiro`,
      `indique a raiz: --workspace ${root}, ou siga sem isolamento`,
    ],
    submodule: (workspace, above) => [
      `${workspace} é um submódulo de ${above}`,
      "trabalhe num clone próprio ou siga sem isolamento",
    ],
    noCommit: (root) => [
      `o repositório ${root} ainda não tem commit, e não há de que fazer um worktree`,
      `faça um commit antes: ${START}, ou siga sem isolamento`,
    ],
    branchTaken: (branch) => [
      `há um branch chamado ${branch}, e o git não pode criar outro abaixo de ${branch}/`,
      `renomeie-o: git branch -m ${branch} <other>`,
    ],
    statusFails: (root, problem) => [`git status falha em ${root}: ${problem}`, "conserte isso"],
    locked: (path) => [
      `o repositório está travado: ${path} existe`,
      "espere o comando git que o ocupa acabar; se nenhum está rodando, remova esse arquivo",
    ],
    readOnly: (dir, problem) => [
      `não se pode gravar no repositório, e nenhum worktree pode ser feito: ${problem}`,
      `dê direito de escrita em ${dir} ou siga sem isolamento`,
    ],
  },
  de: {
    refused: (what) => `Ausführende können nicht isoliert werden: ${what}`,
    noGit: [
      "git ist nicht installiert, und isolierte Ausführende arbeiten in Worktrees von git",
      "git installieren oder ohne Isolation weitermachen",
    ],
    bare: (workspace) => [
      `${workspace} ist ein bloßes Repository (bare) ohne Dateien zum Bearbeiten`,
      "mit --workspace einen Checkout davon nennen, z. B. einen von `git worktree add`",
    ],
    notOne: (workspace, problem) => [
      `${workspace} ist nicht als git-Repository zu gebrauchen (${problem})`,
      `eines anlegen: git init && ${START}, oder ohne Isolation weitermachen`,
    ],
    below: (workspace, root) => [
      `${workspace} liegt im Repository ${root}, und ein Worktree umfasst immer das ganze`,
      `dessen Wurzel nennen: --workspace ${root}, oder ohne Isolation weitermachen`,
    ],
    submodule: (workspace, above) => [
      `${workspace} ist ein Submodul von ${above}`,
      "in einem eigenen Klon arbeiten oder ohne Isolation weitermachen",
    ],
    noCommit: (root) => [
      `das Repository ${root} hat noch keinen Commit, aus dem ein Worktree werden könnte`,
      `zuerst einen machen: ${START}, oder ohne Isolation weitermachen`,
    ],
    branchTaken: (branch) => [
      `es gibt einen Branch namens ${branch}, deshalb kann git keinen unter ${branch}/ anlegen`,
      `umbenennen: git branch -m ${branch} <other>`,
    ],
    statusFails: (root, problem) => [`git status scheitert in ${root}: ${problem}`, "das beheben"],
    locked: (path) => [
      `das Repository ist gesperrt: ${path} ist da`,
      "warten, bis der git-Befehl fertig ist, der es hält; läuft keiner, diese Datei entfernen",
    ],
    readOnly: (dir, problem) => [
      `das Repository ist nicht beschreibbar, also auch kein Worktree möglich: ${problem}`,
      `${dir} beschreibbar machen oder ohne Isolation weitermachen`,
    ],
  },
};
