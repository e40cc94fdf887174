import { type Static, Type } from 'typebox'

import { RunnerInfo } from './runner-info.js'

/** Body of `PUT /jobs/:id` (runner protocol, 3.1). `token` is the job token. */
export const JobUpdate = Type.Object({
  token: Type.Optional(Type.String()),
  state: Type.String(),
  failure_reason: Type.Optional(Type.String()),
  exit_code: Type.Optional(Type.Integer()),
  /** Deprecated copy of `output.checksum`. */
  checksum: Type.Optional(Type.String()),
  output: Type.Optional(
    Type.Object({
      /** `crc32:` and 8 lower-case hex digits over all trace bytes written so far. */
      checksum: Type.Optional(Type.String()),
      bytesize: Type.Optional(Type.Integer()),
    }),
  ),
  info: Type.Optional(RunnerInfo),
})
export type JobUpdate = Static<typeof JobUpdate>
