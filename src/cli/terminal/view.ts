import { Box, Text, useCursor, useInput, useStdout, type Key } from "ink";
import { createElement, useEffect, type ReactElement } from "react";
import type { InputRows } from "./input-rows.ts";
import type { StatusRow, Tone } from "./status-rows.ts";

/** What is at the bottom of the screen. */
export interface ViewProps {
  status: readonly StatusRow[];
  input: InputRows;
  onInput(input: string, key: Key): void;
  /** Gets the way to print above all this. */
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
export function View({ status, input, onInput, onMounted }: ViewProps): ReactElement {
  const { write } = useStdout();
  const { setCursorPosition } = useCursor();
  useInput(onInput);
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
