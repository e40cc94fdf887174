import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'

export const OpenTerminal = Type.Object({
  job_id: described(Type.Integer(), 'ID of the job.'),
  command: described(
    Type.Optional(Type.Array(Type.String({ maxLength: 8192 }), { minItems: 1, maxItems: 256 })),
    'Command and its arguments; a shell by default.',
  ),
  columns: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    'Columns of the terminal. Without columns and rows, the command has no terminal.',
  ),
  rows: described(Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })), 'Rows of the terminal.'),
})

export const Ticket = Type.Object({
  id: described(Type.String(), 'ID of the terminal.'),
  ticket: described(
    Type.String(),
    'Opens the terminal once, within 30 seconds, as the subprotocol `ticket.<ticket>` of the WebSocket.',
  ),
  url: described(Type.String(), 'Address of the WebSocket, below that of the server.'),
  expires_at: described(Type.String(), 'Time until which the ticket is valid.'),
})
export type Ticket = Static<typeof Ticket>
