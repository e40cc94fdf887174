import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

export const TerminalJobId = Type.Object({ job_id: described(Type.Integer(), 'ID of the job.') })

/** Why a person cannot open a shell in a job. `runner`: its runner opens none. */
const ENTRANCE_PROBLEMS = ['disabled', 'ended', 'runner', 'forbidden'] as const
export type EntranceProblem = (typeof ENTRANCE_PROBLEMS)[number]

/** Whether a shell can be opened in a job, and where. Beyond the reference. */
export const TerminalEntrance = Type.Object({
  job_id: described(Type.Integer(), 'ID of the job.'),
  state: described(
    OneOf('running', 'held', 'ended'),
    'Whether the job runs, is held after its end, or has ended.',
  ),
  problem: described(
    Nullable(OneOf(...ENTRANCE_PROBLEMS)),
    'Why no shell can be opened: shells are `disabled` on this server, the job has `ended`, its `runner` opens none, or it is `forbidden` to the caller; null if one can be opened.',
  ),
  place: described(NullableText, 'Container of a held job, and the host that it is on; null otherwise.'),
  until: described(NullableText, 'Time at which the hold ends; null if the job is not held.'),
  latest: described(NullableText, 'Time until which the hold can be extended; null if the job is not held.'),
})
export type TerminalEntrance = Static<typeof TerminalEntrance>

export const OpenTerminal = Type.Object({
  ...TerminalJobId.properties,
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
