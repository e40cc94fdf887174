import { DAY } from '../../../lib/time-units.js'
import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import { labelsForProject } from '../stores/label-store.js'

/** How many names of one quick action count. */
const MAX_NAMES = 100
/** How much of the names of one quick action is read, in characters. */
const MAX_LENGTH = 10_000

/** IDs of the active users whom the arguments name: `@ann @bob`, `me`; the first hundred, in their order. */
export async function usersIn(database: Database, args: string, caller: User): Promise<number[]> {
  const words = args
    .slice(0, MAX_LENGTH)
    .split(/[\s,]+/)
    .filter((name) => name !== '')
  const names = [...new Set(words.map((word) => word.replace(/^@/, '').toLowerCase()))].slice(0, MAX_NAMES)
  if (names.length === 0) return []
  const rows = await database
    .selectFrom('user')
    .select(['id', 'username'])
    .where(({ fn }) => fn('lower', ['username']), 'in', names)
    .where('state', '=', 'active')
    .execute()
  const ids = new Map(rows.map(({ id, username }) => [username.toLowerCase(), id]))
  const isCallerNamed = words.some((word) => word.toLowerCase() === 'me')
  const found = names.flatMap((name) => [
    ...(name === 'me' && isCallerNamed ? [caller.id] : []),
    ...(ids.has(name) ? [ids.get(name) ?? 0] : []),
  ])
  return [...new Set(found)]
}

/** Names of the labels that the arguments name and that exist: `~bug ~"to do" later`; the first hundred. */
export async function labelsIn(database: Database, projectId: number, args: string): Promise<string[]> {
  const written = [...args.slice(0, MAX_LENGTH).matchAll(/~?"([^"]+)"|~?([^\s,~"]+)/g)].map(
    ([, quoted, plain]) => quoted ?? plain ?? '',
  )
  const names = [...new Set(written)].slice(0, MAX_NAMES)
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
