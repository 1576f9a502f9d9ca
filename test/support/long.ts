/** `npm run test:long`: also what takes long and tells little more. */
export const LONG = process.env["FLOWER_LONG"] === "1";
