import type { Updateable } from 'kysely'

import { HOUR } from '../../../lib/time-units.js'
import { ACCESS_LEVELS } from '../../access/access-levels.js'
import type { Database } from '../../database/connect.js'
import type { BroadcastMessageTable } from '../../database/tables/broadcast-messages.js'
import { checkRoom } from '../../http/check-room.js'
import { invalidRecord, notFound } from '../../http/errors.js'
import type { EditBroadcastMessage, NewBroadcastMessage } from './schema.js'
import {
  allBroadcastMessages,
  type BroadcastMessageRow,
  findBroadcastMessage,
  insertBroadcastMessage,
  updateBroadcastMessage,
} from './store.js'

/** Those that have ended count, too. */
const MAX_MESSAGES = 200

/** Throws 404. */
export async function requireBroadcastMessage(database: Database, id: number): Promise<BroadcastMessageRow> {
  const row = await findBroadcastMessage(database, id)
  if (!row) throw notFound('Broadcast Message')
  return row
}

/** Throws 400 for invalid colours, times and levels, and for too many messages. */
export async function createBroadcastMessage(
  database: Database,
  { message, ...settings }: NewBroadcastMessage,
): Promise<BroadcastMessageRow> {
  const now = Date.now()
  const changes = columnsOf(settings)
  const starts_at = changes.starts_at ?? now
  const values = {
    broadcast_type: 'banner',
    theme: 'indigo',
    color: null,
    font: null,
    target_path: '',
    target_access_levels: '[]',
    dismissable: false,
    ends_at: starts_at + HOUR,
    ...changes,
    starts_at,
    message,
    created_at: now,
    updated_at: now,
  } as const
  refuseProblems({ message, ...settings }, values)
  await checkRoom(allBroadcastMessages(database), { most: MAX_MESSAGES, what: 'broadcast messages' })
  return insertBroadcastMessage(database, values)
}

/** Changes what is given. Throws as `createBroadcastMessage`, and 404. */
export async function editBroadcastMessage(
  database: Database,
  { id, ...given }: EditBroadcastMessage,
): Promise<BroadcastMessageRow> {
  const before = await requireBroadcastMessage(database, id)
  const changes = columnsOf(given)
  refuseProblems(given, { ...before, ...changes })
  const row = await updateBroadcastMessage(database, id, { ...changes, updated_at: Date.now() })
  if (!row) throw notFound('Broadcast Message')
  return row
}

type Settings = Omit<EditBroadcastMessage, 'id'>
type Changes = Omit<Updateable<BroadcastMessageTable>, 'starts_at' | 'ends_at'> & {
  starts_at?: number
  ends_at?: number
}

function columnsOf({ starts_at, ends_at, color, font, target_access_levels, ...others }: Settings): Changes {
  const levels = target_access_levels && [...new Set(target_access_levels)].toSorted((a, b) => a - b)
  return {
    ...others,
    ...(starts_at !== undefined && { starts_at: Date.parse(starts_at) }),
    ...(ends_at !== undefined && { ends_at: Date.parse(ends_at) }),
    ...(color !== undefined && { color: color || null }),
    ...(font !== undefined && { font: font || null }),
    ...(levels && { target_access_levels: JSON.stringify(levels) }),
  }
}

const COLOR = /^#([0-9a-f]{3}|[0-9a-f]{6})$/i
const LEVELS: readonly number[] = Object.values(ACCESS_LEVELS)

/** Throws 400. */
function refuseProblems(
  { color, font, message, target_access_levels: levels = [] }: Settings,
  { starts_at, ends_at }: { starts_at: number; ends_at: number },
): void {
  const colors = Object.entries({ color, font }).filter(([, value]) => value && !COLOR.test(value))
  const problems = {
    ...(message?.trim() === '' && { message: ["can't be blank"] }),
    ...(ends_at <= starts_at && { ends_at: ['must be after starts_at'] }),
    ...Object.fromEntries(colors.map(([name]) => [name, ['must be a valid color code']])),
    ...(levels.some((level) => !LEVELS.includes(level)) && {
      target_access_levels: [`can only be ${LEVELS.join(', ')}`],
    }),
  }
  if (Object.keys(problems).length > 0) throw invalidRecord(problems)
}
