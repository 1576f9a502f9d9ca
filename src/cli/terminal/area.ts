import { render, type Instance } from "ink";
import { createElement } from "react";
import { rowsAboveCursor, type Reflow } from "./reflow.ts";
import { View, type Shown } from "./view.ts";

/** How long a window must keep its size before anything is written to it again, ms. */
const STILL_MS = 100;

/** Rows at the bottom of the screen that are drawn again and again, with lines above them that stay. */
export interface Area {
  draw(): void;
  /** Prints whole lines above. */
  print(text: string): void;
  /** Takes the rows off the screen; what was printed stays. */
  close(): void;
}

/** What an area is drawn from. */
export interface AreaOptions {
  output: NodeJS.WriteStream;
  reflow: Reflow;
  /** What is to be drawn now, for the size that the output has. */
  shown(): Shown;
}

/**
 * Draws with Ink until it is closed. While a window changes its size nothing is written: where rows stand, and in how
 * many, is known only when it rests. Then what stands there is erased by what this terminal made of it, and drawn anew.
 */
export function openArea({ output, reflow, shown }: AreaOptions): Area {
  let resting: NodeJS.Timeout | undefined;
  /** Node hears of a new size when its timers have run, and one of them may draw; asked, it looks at once (20.20). */
  const isMoving = (): boolean => {
    (output as { _refreshSize?: () => void })._refreshSize?.();
    return resting !== undefined;
  };
  const waiting: string[] = [];
  let next: Shown;
  /** What stands on the screen; nothing else is ever erased. */
  let drawn: Shown | undefined;
  const open = (): Pane => {
    next = shown();
    return openPane(output, next, { isMoving, onDrawn: () => (drawn = next) });
  };

  /** Ink's own way back would count rows of the old width. */
  const erase = (): void => {
    clearTimeout(resting);
    resting = undefined;
    pane.drop();
    const up = drawn === undefined ? 0 : rowsAboveCursor(drawn, output.columns, reflow);
    drawn = undefined;
    output.write(`${up > 0 ? `\u001b[${up}A` : ""}\r\u001b[J`);
  };
  const rested = (): void => {
    erase();
    output.write(waiting.splice(0).join(""));
    pane = open();
  };
  const onResize = (): void => {
    clearTimeout(resting);
    resting = setTimeout(rested, STILL_MS);
  };
  output.on("resize", onResize);
  let pane = open();

  return {
    draw() {
      if (isMoving()) return;
      next = shown();
      pane.draw(next);
    },
    print(text) {
      if (isMoving()) waiting.push(text);
      else pane.print(text);
    },
    close() {
      const isResting = !isMoving();
      output.off("resize", onResize);
      if (isResting) {
        pane.close();
        return;
      }
      erase();
      output.write(`${SHOW_CURSOR}${waiting.splice(0).join("")}`);
    },
  };
}

const SHOW_CURSOR = "\u001b[?25h";

/** What Ink draws, as long as it knows what stands on the screen. */
interface Pane {
  draw(shown: Shown): void;
  print(text: string): void;
  close(): void;
  /** Gives it up, and leaves on the screen what stands there. */
  drop(): void;
}

/** What only changes how the terminal behaves. */
const MODE = /^(?:\u001b\[\?\d+[hl])*$/;

function openPane(
  output: NodeJS.WriteStream,
  first: Shown,
  { isMoving, onDrawn }: { isMoving(): boolean; onDrawn(): void },
): Pane {
  let isDropped = false;
  /** What must not be lost half way. */
  let isWhole = false;
  let write: (text: string) => void = (text) => void output.write(text);
  const onMounted = (print: (text: string) => void): void => {
    write = print;
  };
  // Ink would answer a change of the size by itself, with the rows of the old one (6.8).
  const own = Object.create(output, {
    write: {
      value: (...said: Parameters<typeof output.write>) => {
        // While this frame was made the window may have changed.
        if (!isWhole && !isDropped) isDropped = isMoving();
        if (isDropped) return true;
        if (!MODE.test(String(said[0]))) onDrawn();
        return output.write(...said);
      },
    },
    on: {
      value: (name: string, listener: () => void) => (name === "resize" ? own : output.on(name, listener)),
    },
  }) as NodeJS.WriteStream;
  const view = (shown: Shown) => createElement(View, { ...shown, onMounted });
  const ink: Instance = render(view(first), {
    ...{ stdout: own, exitOnCtrlC: false, patchConsole: false },
    // How often is decided elsewhere, so that what was given to Ink is what stands on the screen.
    maxFps: 1_000,
  });
  return {
    draw: (shown) => ink.rerender(view(shown)),
    print(text) {
      isWhole = true;
      write(text);
      isWhole = false;
    },
    close() {
      isWhole = true;
      ink.rerender(null);
      ink.unmount();
    },
    drop() {
      isDropped = true;
      ink.unmount();
    },
  };
}
