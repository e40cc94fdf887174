import { renderMarkdownInline } from '../../lib/markdown/render-markdown.js'
import type { Database } from '../database/connect.js'
import { type BroadcastMessageRow, listBroadcastMessagesAt } from '../instance/broadcast-messages/store.js'
import { colorsOf } from '../instance/broadcast-messages/themes.js'
import type { Broadcast } from './schema.js'

/** Further messages are left out of the pages. */
const MAX_SHOWN = 10

/** Messages of administrators that are shown now; the newest first. */
export async function listBroadcasts(database: Database): Promise<Broadcast[]> {
  return Promise.all((await listBroadcastMessagesAt(database, Date.now(), MAX_SHOWN)).map(broadcastOf))
}

async function broadcastOf(row: BroadcastMessageRow): Promise<Broadcast> {
  const { background, text: color } = colorsOf(row)
  return {
    key: `${row.id}-${row.updated_at}`,
    html: await renderMarkdownInline(row.message),
    kind: row.broadcast_type,
    background,
    color,
    path: row.target_path,
    levels: row.target_access_levels,
    is_closable: row.dismissable || row.broadcast_type === 'notification',
  }
}
