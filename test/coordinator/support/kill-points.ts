/** Random statements at which each test kills at night; none on a push. */
const ROUNDS = Number(process.env['SWITCHYARD_KILL_ROUNDS'] ?? 0)
export const IS_NIGHT = ROUNDS > 0
const FEW = 5

export interface KillPointOptions {
  /** So many of the first and of the last statements are always among them. */
  first?: number
  last?: number
  /** At night all of them. */
  everyAtNight?: boolean
}

/** Statements, counted from 1, at which a test kills: some that are evenly spread on a push, random ones at night. */
export function pointsIn(
  statements: number,
  { first = 0, last = 0, everyAtNight = false }: KillPointOptions = {},
): number[] {
  const all = Array.from({ length: statements }, (_, index) => index + 1)
  if (IS_NIGHT && everyAtNight) return all
  const spread = all.filter((point) => point % Math.ceil(statements / FEW) === 0)
  const random = Array.from({ length: ROUNDS }, () => 1 + Math.floor(Math.random() * statements))
  const chosen = IS_NIGHT ? random : spread
  return [...new Set([...all.slice(0, first), ...chosen, ...all.slice(statements - last)])]
}
