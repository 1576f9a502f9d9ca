/**
 * Source of a pattern for HTTP status codes in error texts, e.g. `429` or `5\\d\\d`. `156,403 tokens` and `v4.0.29` hold
 * none: there the digits are part of a longer figure.
 */
export function statusCode(codes: string): string {
  return String.raw`(?<![\d,.])(?:${codes})(?![\d]|[,.]\d)`;
}
