import { type Static, Type } from 'typebox'

import { described } from './described.js'
import { RunnerInfo } from './runner-info.js'

/** Body of `POST /jobs/request` (runner protocol, 2.1). */
export const JobRequest = Type.Object({
  token: described(Type.String(), 'The authentication token of the runner.'),
  system_id: described(
    Type.Optional(Type.String({ maxLength: 64 })),
    'Identifier that the machine generated for itself.',
  ),

  last_update: described(
    Type.Optional(Type.String()),
    'Value of the last `X-GitLab-Last-Update`; with it, the request may be held until there is a job.',
  ),
  info: described(Type.Optional(RunnerInfo), 'Information about the program.'),
  // Of any form: a session that cannot be used does not keep jobs from the runner.
  session: described(
    Type.Optional(Type.Unknown()),
    'Session server of the runner, for shells in the job: an object with `url` (HTTPS), `certificate` (PEM) and `authorization` (value of the header).',
  ),
})
export type JobRequest = Static<typeof JobRequest>
