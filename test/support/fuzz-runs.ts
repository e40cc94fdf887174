/** Part of the runs on a push: most faults that a property finds, it finds in its first runs. */
const PUSH_FACTOR = 1 / 3

/**
 * Number of runs of a property: `short`, which each property chooses by what a run costs, times SWITCHYARD_FUZZ_FACTOR for a
 * long search. A push has a third of them.
 */
export function fuzzRuns(short: number): { numRuns: number } {
  return { numRuns: Math.ceil(short * Number(process.env['SWITCHYARD_FUZZ_FACTOR'] ?? PUSH_FACTOR)) }
}
