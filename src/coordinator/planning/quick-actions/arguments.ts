import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { sameText } from '../../database/text.js'
import { labelsForProject } from '../../hosting/label-store.js'

/** IDs of the active users whom the arguments name: `@ann @bob`, `me`. */
export async function usersIn(database: Database, args: string, caller: User): Promise<number[]> {
  const names = args.split(/[\s,]+/).filter((name) => name !== '')
  const ids: number[] = []
  for (const name of names) {
    if (name.toLowerCase() === 'me') ids.push(caller.id)
    const user = await database
      .selectFrom('user')
      .select('id')
      .where(({ ref }) => sameText(ref('username'), name.replace(/^@/, '')))
      .where('state', '=', 'active')
      .executeTakeFirst()
    if (user) ids.push(user.id)
  }
  return [...new Set(ids)]
}

/** Names of the labels that the arguments name and that exist: `~bug ~"to do" later`. */
export async function labelsIn(database: Database, projectId: number, args: string): Promise<string[]> {
  const names = [...args.matchAll(/~?"([^"]+)"|~?([^\s,~"]+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  if (names.length === 0) return []
  const known = await labelsForProject(database, projectId, names)
  return names.flatMap((name) => known.get(name)?.name ?? [])
}

/** Title of a milestone: `%v1`, `%"version 1"`. */
export function milestoneTitle(args: string): string {
  return args
    .replace(/^%/, '')
    .replace(/^"(.*)"$/, '$1')
    .trim()
}

const UNITS: Record<string, number> = { day: 1, week: 7, month: 30 }
const DAY = 24 * 3600 * 1000

/** A day: `2030-01-31`, `today`, `tomorrow`, `in 2 weeks`. Undefined for anything else. */
export function dayOf(args: string, now = Date.now()): string | undefined {
  const text = args.trim().toLowerCase()
  const after = (days: number) => new Date(now + days * DAY).toISOString().slice(0, 10)
  if (text === 'today') return after(0)
  if (text === 'tomorrow') return after(1)
  const [, count, unit = ''] = /^in (\d{1,4}) (day|week|month)s?$/.exec(text) ?? []
  if (count !== undefined) return after(Number(count) * (UNITS[unit] ?? 1))
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  const day = new Date(text)
  // Days that a month does not have lead to the next one, or to no date.
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text) ? text : undefined
}
