/** Number of random statements at which each nightly test kills; none in the normal run. */
const ROUNDS = Number(process.env['SWITCHYARD_KILL_ROUNDS'] ?? 0)
export const IS_NIGHT = ROUNDS > 0

export interface KillPointOptions {
  /** Number of first and of last statements that are always included. */
  first?: number
  last?: number
  /** In the normal run, one at the end of each of so many equal parts. */
  parts?: number
  /** At night all of them. */
  everyAtNight?: boolean
}

/** Statements, counted from 1, at which a test kills: evenly spread in the normal run, random in the nightly run. */
export function pointsIn(
  statements: number,
  { first = 0, last = 0, parts = 3, everyAtNight = false }: KillPointOptions = {},
): number[] {
  const all = Array.from({ length: statements }, (_, index) => index + 1)
  if (IS_NIGHT && everyAtNight) return all
  const spaced = all.filter((point) => point % Math.ceil(statements / parts) === 0)
  const random = Array.from({ length: ROUNDS }, () => 1 + Math.floor(Math.random() * statements))
  const chosen = IS_NIGHT ? random : spaced
  return [...new Set([...all.slice(0, first), ...chosen, ...all.slice(statements - last)])]
}
