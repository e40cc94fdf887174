/** Number of runs of a property: `short`, or the value of SWITCHYARD_FUZZ_RUNS for a long search. */
export function fuzzRuns(short: number): { numRuns: number } {
  return { numRuns: Number(process.env['SWITCHYARD_FUZZ_RUNS'] ?? short) }
}
