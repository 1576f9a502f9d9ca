import { existsSync, renameSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { z } from "zod";
import { makePrivateDir, writeJsonAtomic } from "../core/files.ts";
import type { Mail } from "../human/channel.ts";
import { readJsonFile } from "./json-file.ts";

/** Version of `inbox.json`. 1: first. */
const MAIL_VERSION = 1;
const FILE = z.object({
  v: z.literal(MAIL_VERSION),
  messages: z.array(z.object({ text: z.string().min(1), sentAtMs: z.number() })),
});

/** A message as it is kept. */
export type KeptMail = Pick<Mail, "text" | "sentAtMs">;

/** `<runDir>/inbox.json`: a person's messages that no session has read. There is none when all are read. */
export interface MailFile {
  /** What an earlier run left, in the order of sending. */
  readonly kept: readonly KeptMail[];
  /** A word for the person when a damaged file was set aside. */
  readonly notice: string | undefined;
  /** @throws the file system's error. */
  write(mails: readonly KeptMail[]): void;
  /** Moves the file into a folder, which is made. */
  archive(folder: string): void;
}

/**
 * @param check asked before each change, which does not happen when it throws.
 * @throws FlowerError `format` for a file from a newer version.
 */
export function openMailFile(runDir: string, check: () => void): MailFile {
  const path = join(runDir, "inbox.json");
  const read = readJsonFile(path, FILE, MAIL_VERSION);
  return {
    kept: "value" in read ? read.value.messages : [],
    notice: "damaged" in read ? read.damaged : undefined,
    write(mails) {
      check();
      const messages = mails.map(({ text, sentAtMs }) => ({ text, sentAtMs }));
      if (messages.length === 0) rmSync(path, { force: true });
      else writeJsonAtomic(path, { v: MAIL_VERSION, messages });
    },
    archive(folder) {
      check();
      if (!existsSync(path)) return;
      makePrivateDir(folder);
      renameSync(path, join(folder, basename(path)));
    },
  };
}
