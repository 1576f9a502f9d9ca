/** `130.0K`, `1M`, `950`: tokens for the eye. */
export function tokensText(tokens: number): string {
  if (tokens < 1_000) return String(Math.round(tokens));
  if (tokens < 1_000_000) return `${(tokens / 1_000).toFixed(1)}K`;
  return `${trimZero((tokens / 1_000_000).toFixed(2))}M`;
}

/** A round size: `200K`, `1M`. */
export function windowText(tokens: number): string {
  return tokens >= 1_000_000
    ? `${trimZero((tokens / 1_000_000).toFixed(2))}M`
    : `${trimZero((tokens / 1_000).toFixed(1))}K`;
}

/** `$0.09`; `~$0.09` when the harness has no price for the model. */
export function costText(costUsd: number, isEstimate = false): string {
  return `${isEstimate ? "~" : ""}$${costUsd.toFixed(2)}`;
}

/** `0:41`, `12:05`, `3:02:11`. */
export function durationText(ms: number): string {
  const total = Math.floor(ms / 1_000);
  const two = (n: number): string => String(n).padStart(2, "0");
  const [hours, minutes, seconds] = [Math.floor(total / 3_600), Math.floor(total / 60) % 60, total % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds)}` : `${minutes}:${two(seconds)}`;
}

/** `05:30`, with the day in front when it is another one: local time. */
export function clockText(epochMs: number, nowMs = Date.now()): string {
  const [then, now] = [new Date(epochMs), new Date(nowMs)];
  const two = (n: number): string => String(n).padStart(2, "0");
  const time = `${two(then.getHours())}:${two(then.getMinutes())}`;
  const day = `${then.getFullYear()}-${two(then.getMonth() + 1)}-${two(then.getDate())}`;
  return then.toDateString() === now.toDateString() ? time : `${day} ${time}`;
}

function trimZero(text: string): string {
  return text.replace(/\.?0+$/, "");
}
