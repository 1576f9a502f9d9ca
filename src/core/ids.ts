import { randomBytes } from "node:crypto";

const two = (n: number): string => String(n).padStart(2, "0");

/** Local time as `YYYYmmdd-HHMMSS`, for names of archive folders and runs. */
export function timestampName(date: Date): string {
  return (
    `${date.getFullYear()}${two(date.getMonth() + 1)}${two(date.getDate())}` +
    `-${two(date.getHours())}${two(date.getMinutes())}${two(date.getSeconds())}`
  );
}

/** A run id, `YYYYmmdd-HHMMSS-<6 hex>`: sortable by eye, unique between processes of one second. */
export function newRunId(date: Date = new Date()): string {
  return `${timestampName(date)}-${randomBytes(3).toString("hex")}`;
}
