import { Type } from 'typebox'

import { described, optional } from '../http/parameters/described.js'

export const LiveParams = Type.Object({
  topics: described(
    Type.String({ minLength: 1, maxLength: 4000 }),
    'Topics, separated by commas: `project/:id`, `pipeline/:id`, `job/:id`, `trace/:job_id/:offset`, ' +
      '`issue/:id`, `merge-request/:id`, `epic/:id`, `snippet/:id`, `issues/project/:id`, `issues/group/:id`, ' +
      '`merge-requests/project/:id`, `merge-requests/group/:id`, `wiki/project/:id`, `wiki/group/:id`.',
  ),
  cursor: optional(
    Type.String({ maxLength: 8000 }),
    'ID of the last event that the client received, if it does not send `Last-Event-ID`.',
  ),
})

export const LiveEvents = Type.Unknown({ description: 'Server-sent events (`text/event-stream`)' })
