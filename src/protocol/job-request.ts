import { type Static, Type } from 'typebox'

import { RunnerInfo } from './runner-info.js'

/** Body of `POST /jobs/request` (runner protocol, 2.1). */
export const JobRequest = Type.Object({
  token: Type.String(),
  system_id: Type.Optional(Type.String({ maxLength: 64 })),
  /** The value of the last `X-GitLab-Last-Update` seen; its presence allows the coordinator to hold the request. */
  last_update: Type.Optional(Type.String()),
  info: Type.Optional(RunnerInfo),
  session: Type.Optional(
    Type.Object({
      url: Type.Optional(Type.String()),
      certificate: Type.Optional(Type.String()),
      authorization: Type.Optional(Type.String()),
    }),
  ),
})
export type JobRequest = Static<typeof JobRequest>
