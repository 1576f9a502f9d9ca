/** `work#round2` and `work·verdict#1` belong to `work`: the part of a step id that the lineage knows. */
export function lineageStepOf(step: string): string {
  return step.split(/[#·]/)[0] ?? step;
}
