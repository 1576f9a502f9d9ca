import { describe, expect, it } from "vitest";
import { EXIT, exitCodeOf } from "../../src/cli/exit.ts";
import { FlowerError, type FlowerErrorCode } from "../../src/core/errors.ts";
import { lineJsonSchema } from "../../src/core/event-schema.ts";
import { tableRows } from "./pages.ts";

const codeOf = (cell: string): string => cell.replaceAll("`", "");

describe("the page of exit codes", () => {
  const rows = tableRows("docs/reference/exit-codes.md");

  it("has each code of the command, those of signals among them, and no other", () => {
    const listed = rows.map(([code = ""]) => code).filter((code) => /^\d+$/.test(code));
    const bySignal = [129, 143];
    expect(listed.map(Number).sort()).toEqual([...Object.values(EXIT), ...bySignal].sort());
  });

  it("has each error code with the exit code that it makes", () => {
    const codes: Record<FlowerErrorCode, true> = {
      usage: true,
      workspace: true,
      credentials: true,
      store: true,
      locked: true,
      harness: true,
      aborted: true,
      format: true,
      rehearsal: true,
    };
    const listed = rows
      .filter(([code = ""]) => code.startsWith("`"))
      .flatMap(([names = "", , exit]) =>
        names.split(", ").map((name) => [codeOf(name), Number(exit)] as const),
      );
    const made = (Object.keys(codes) as FlowerErrorCode[]).map(
      (code) => [code, exitCodeOf(new FlowerError(code, "x"))] as const,
    );
    expect(Object.fromEntries(listed)).toEqual(Object.fromEntries(made));
  });
});

interface LineSchema {
  properties: Record<string, { const?: string }>;
}

describe("the page of events", () => {
  const ofEvery = new Set(["v", "seq", "type", "runId", "step", "agentId", "timeMs"]);
  const lines = (lineJsonSchema() as { anyOf: LineSchema[] }).anyOf.map(({ properties }) => ({
    type: properties["type"]?.const ?? "",
    fields: Object.keys(properties),
  }));
  const rows = tableRows("docs/reference/events.md");
  const rowsOfTypes = rows.filter((cells) => cells.length === 3);
  const rowsOfEnd = rows.filter((cells) => cells.length === 2);

  it("has each type and no other", () => {
    const types = lines.map(({ type }) => type).filter((type) => type !== "end");
    expect(rowsOfTypes.map(([type = ""]) => codeOf(type)).sort()).toEqual(types.sort());
  });

  it.each(lines.filter(({ type }) => type !== "end"))("names each field of $type", ({ type, fields }) => {
    const [, payload = ""] = rowsOfTypes.find(([name = ""]) => codeOf(name) === type) ?? [];
    const named = [...payload.matchAll(/`(\w+)\??`/g)].map(([, name]) => name);
    expect(named).toEqual(expect.arrayContaining(fields.filter((field) => !ofEvery.has(field))));
  });

  it("names each field of the end", () => {
    const end = lines.find(({ type }) => type === "end");
    const named = rowsOfEnd.flatMap(([fields = ""]) =>
      [...fields.matchAll(/`(\w+)`/g)].map(([, name]) => name),
    );
    expect(named).toEqual(expect.arrayContaining(end?.fields ?? ["?"]));
  });
});
