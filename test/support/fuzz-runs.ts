/** How often a property is tried: `short` times, or as often as SWITCHYARD_FUZZ_RUNS says for a long search. */
export function fuzzRuns(short: number): { numRuns: number } {
  return { numRuns: Number(process.env['SWITCHYARD_FUZZ_RUNS'] ?? short) }
}
