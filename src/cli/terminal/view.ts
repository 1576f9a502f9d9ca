import { Box, Text, useCursor, useStdout } from "ink";
import { createElement, useEffect, type ReactElement } from "react";
import type { InputRows } from "./input-rows.ts";
import type { StatusRow, Tone } from "./status-rows.ts";

/** What is at the bottom of the screen. */
export interface Shown {
  readonly status: readonly StatusRow[];
  readonly input: InputRows;
}

/** The same, and who gets the way to print above it. */
export interface ViewProps extends Shown {
  onMounted(print: (text: string) => void): void;
}

const TONES: Readonly<Record<Tone, { color?: string; dimColor?: boolean }>> = {
  rule: { dimColor: true },
  plain: {},
  quiet: { dimColor: true },
  warn: { color: "yellow" },
  ask: { color: "cyan" },
};

/** Status area and input line. The real cursor stands where text appears, so that input methods show theirs there. */
export function View({ status, input, onMounted }: ViewProps): ReactElement {
  const { write } = useStdout();
  const { setCursorPosition } = useCursor();
  useEffect(() => onMounted(write), [onMounted, write]);
  setCursorPosition({ x: input.cursor.x, y: status.length + input.cursor.y });
  return createElement(
    Box,
    { flexDirection: "column" },
    ...status.map(({ text, tone }, i) => row(`s${i}`, text, TONES[tone])),
    ...input.rows.map((text, i) => row(`i${i}`, text, {})),
  );
}

/** A text without characters would take no row. */
function row(key: string, text: string, style: object): ReactElement {
  return createElement(Text, { key, wrap: "truncate-end", ...style }, text === "" ? " " : text);
}
