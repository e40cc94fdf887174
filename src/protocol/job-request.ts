import { type Static, Type } from 'typebox'

import { described } from './described.js'
import { RunnerInfo } from './runner-info.js'

/** Body of `POST /jobs/request` (runner protocol, 2.1). */
export const JobRequest = Type.Object({
  token: described(Type.String(), 'The authentication token of the runner.'),
  system_id: described(
    Type.Optional(Type.String({ maxLength: 64 })),
    'Identifier that the machine has given itself.',
  ),

  last_update: described(
    Type.Optional(Type.String()),
    'The value of the last `X-GitLab-Last-Update`; with it the request may be held until there is a job.',
  ),
  info: described(Type.Optional(RunnerInfo), 'What the program tells of itself.'),
  session: described(
    Type.Optional(
      Type.Object({
        url: described(Type.Optional(Type.String()), 'Address of that.'),
        certificate: described(Type.Optional(Type.String()), 'Certificate of that.'),
        authorization: described(Type.Optional(Type.String()), 'Credential for that.'),
      }),
    ),
    'Where the runner itself can be reached.',
  ),
})
export type JobRequest = Static<typeof JobRequest>
