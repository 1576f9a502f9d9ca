/**
 * Source of a pattern for HTTP status codes in error texts, e.g. `429` or `5\\d\\d`; to be used with the flag `i`.
 * `156,403 tokens`, `v4.0.29` and `req_01a429bx` hold none: there the digits are part of a longer figure, or of an id.
 */
export function statusCode(codes: string): string {
  return String.raw`(?<![\d,.])(?<=^|[^a-z]|http|code|error|status)(?:${codes})(?![a-z\d]|[,.]\d)`;
}
