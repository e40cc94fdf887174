import { IS_NIGHTLY } from '../../support/nightly.js'

/** How often a test with random kills is done once more: never, or as often as SWITCHYARD_KILL_ROUNDS says. */
export const KILL_ROUNDS = { repeats: Number(process.env['SWITCHYARD_KILL_ROUNDS'] ?? 0) }

/** Kills in one turn of such a test: `many` in the nightly run. Each costs the start of a process. */
export function kills(many: number): number {
  return IS_NIGHTLY ? many : 2
}
