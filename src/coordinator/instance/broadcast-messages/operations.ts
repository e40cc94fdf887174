import { Type } from 'typebox'

import type { Database } from '../../database/connect.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond } from '../../http/operation.js'
import { page } from '../../http/page.js'
import {
  createBroadcastMessage,
  editBroadcastMessage,
  requireBroadcastMessage,
} from './broadcast-messages.js'
import { presentBroadcastMessage } from './present.js'
import { BroadcastMessage, BroadcastMessageId, EditBroadcastMessage, NewBroadcastMessage } from './schema.js'
import { deleteBroadcastMessageRow, listBroadcastMessages } from './store.js'

const ATTRIBUTES = [
  ...['message', 'starts_at', 'ends_at', 'broadcast_type', 'theme', 'color', 'font'],
  ...['target_path', 'target_access_levels', 'dismissable'],
]

/** Messages of administrators on the pages (API, L1c). */
export function broadcastMessageOperations({ database }: { database: Database }): Operation[] {
  return [
    operation('GET /broadcast_messages', {
      summary: 'List broadcast messages',
      access: 'anyone',
      responses: { 200: Type.Array(BroadcastMessage) },
      paginated: true,
      run: async ({ paging }) => {
        const { rows, total } = await listBroadcastMessages(database, paging)
        return page(rows.map(presentBroadcastMessage), total)
      },
    }),
    operation('GET /broadcast_messages/:id', {
      summary: 'Get a broadcast message',
      access: 'anyone',
      params: BroadcastMessageId,
      responses: { 200: BroadcastMessage },
      run: async ({ params }) => presentBroadcastMessage(await requireBroadcastMessage(database, params.id)),
    }),
    operation('POST /broadcast_messages', {
      summary: 'Create a broadcast message',
      access: 'administrator',
      params: NewBroadcastMessage,
      responses: { 201: BroadcastMessage },
      run: async ({ params }) => presentBroadcastMessage(await createBroadcastMessage(database, params)),
    }),
    operation('PUT /broadcast_messages/:id', {
      summary: 'Update a broadcast message',
      access: 'administrator',
      params: EditBroadcastMessage,
      changes: {
        attributes: ATTRIBUTES,
        before: async ({ params }) =>
          presentBroadcastMessage(await requireBroadcastMessage(database, params.id)),
      },
      responses: { 200: BroadcastMessage },
      run: async ({ params }) => presentBroadcastMessage(await editBroadcastMessage(database, params)),
    }),
    operation('DELETE /broadcast_messages/:id', {
      summary: 'Delete a broadcast message',
      access: 'administrator',
      params: BroadcastMessageId,
      responses: { 204: NoBody },
      modifiedAt: async ({ params }) => (await requireBroadcastMessage(database, params.id)).updated_at,
      run: async ({ params }) => {
        if (!(await deleteBroadcastMessageRow(database, params.id))) throw notFound('Broadcast Message')
        return respond(204)
      },
    }),
  ]
}
