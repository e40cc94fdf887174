import { IS_NIGHTLY } from '../../support/nightly.js'

/** Repetitions of a test with random kills: 0, or the value of SWITCHYARD_KILL_ROUNDS. */
export const KILL_ROUNDS = { repeats: Number(process.env['SWITCHYARD_KILL_ROUNDS'] ?? 0) }

/** Kills in one round of such a test: `many` in the nightly run, else `few`. Each requires the start of a process. */
export function kills(many: number, few = 1): number {
  return IS_NIGHTLY ? many : few
}
