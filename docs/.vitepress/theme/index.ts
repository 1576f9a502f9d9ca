// The default theme without its web fonts: pages show in the fonts of the reader's machine.
export { default } from "vitepress/theme-without-fonts";
