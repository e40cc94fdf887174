/**
 * Number of runs of a property: `short`, which each property chooses by what a run costs, times SWITCHYARD_FUZZ_FACTOR for a
 * long search.
 */
export function fuzzRuns(short: number): { numRuns: number } {
  return { numRuns: short * Number(process.env['SWITCHYARD_FUZZ_FACTOR'] ?? 1) }
}
