import { type Static, Type } from 'typebox'

import { described } from './described.js'
import { RunnerInfo } from './runner-info.js'

/** Body of `PUT /jobs/:id` (runner protocol, 3.1). `token` is the job token. */
export const JobUpdate = Type.Object({
  token: described(Type.Optional(Type.String()), 'The job token.'),
  state: described(Type.String(), '`running`, `success` or `failed`.'),
  failure_reason: described(Type.Optional(Type.String()), 'Failure reason.'),
  exit_code: described(Type.Optional(Type.Integer()), 'Exit code of the script.'),

  checksum: described(Type.Optional(Type.String()), 'Deprecated form of `output.checksum`.'),
  output: described(
    Type.Optional(
      Type.Object({
        checksum: described(
          Type.Optional(Type.String()),
          '`crc32:` and 8 lower-case hex digits over all bytes of the log.',
        ),
        bytesize: described(Type.Optional(Type.Integer()), 'Size of the log, in bytes.'),
      }),
    ),
    'State of the log.',
  ),
  script_steps: described(
    Type.Optional(Type.Array(Type.Unknown(), { maxItems: 5000 })),
    'Lines of the scripts, how they ended and how long they took (beyond the reference). Entries in another form are ignored.',
  ),
  info: described(Type.Optional(RunnerInfo), 'Information about the program.'),
})
export type JobUpdate = Static<typeof JobUpdate>
