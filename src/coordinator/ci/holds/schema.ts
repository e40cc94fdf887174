import { type Static, Type } from 'typebox'

import { WantedTerminal } from '../../../protocol/wanted-terminal.js'
import { HOLD_ENDS } from '../../database/tables/job-holds.js'
import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf } from '../../http/parameters/types.js'

export const HeldJobId = Type.Object({ job_id: described(Type.Integer(), 'ID of the job.') })

/** An ended job whose runner keeps its container. Beyond the reference. */
export const Hold = Type.Object({
  job_id: described(Type.Integer(), 'ID of the job.'),
  state: described(OneOf('held', 'ended'), 'Whether the container of the job is still kept.'),
  place: described(Type.String(), 'Container of the job, and the host that it is on.'),
  has_terminal: described(Type.Boolean(), 'Whether the runner opens shells in the container.'),
  since: described(Type.String(), 'Time at which the job ended and was held.'),
  until: described(Type.String(), 'Time at which the hold ends.'),
  latest: described(Type.String(), 'Time until which the hold can be extended.'),
  ended_at: described(NullableText, 'Time at which the hold ended; null while the job is held.'),
  end_reason: described(
    Nullable(OneOf(...HOLD_ENDS)),
    'Why the hold ended: its `time` was over, a `user` or the `administrator` of the runner ended it, the `disk` of the runner was full, the runner was `stopping`, or the container was `gone`; null while the job is held.',
  ),
  may_change: described(Type.Boolean(), 'Whether the caller may extend and end the hold.'),
})
export type Hold = Static<typeof Hold>

export const ExtendHold = Type.Object({
  ...HeldJobId.properties,
  seconds: described(
    Type.Optional(Type.Integer({ minimum: 1, maximum: 604_800 })),
    'Seconds by which the end of the hold is moved, at most to `latest`; 600 by default.',
  ),
})

const RunnerJobId = Type.Object({ id: described(Type.Integer(), 'ID of the job.') })
const seconds = Type.Number({ minimum: 0, maximum: 604_800 })

export const BeginHold = Type.Object({
  ...RunnerJobId.properties,
  token: described(Type.Optional(Type.String()), 'Token of the job, if not sent in the header `JOB-TOKEN`.'),
  place: described(Type.String({ maxLength: 255 }), 'Where the job is: its container, and its host.'),
  has_terminal: described(Type.Boolean(), 'Whether the runner opens shells in the job.'),
  seconds: described(seconds, 'Seconds that the job is held from now on.'),
  max_seconds: described(seconds, 'Seconds from now on until which the hold can be extended.'),
})

export const BegunHold = Type.Object({
  token: described(Type.String(), 'Token for calls about the hold, to be sent in the header `HOLD-TOKEN`.'),
})

export const WaitForHold = Type.Object({
  ...RunnerJobId.properties,
  revision: described(Type.Optional(Type.Integer()), 'Revision that the runner knows; 1 by default.'),
})

export const HoldNews = Type.Object({
  revision: described(Type.Integer(), 'Increases with each change of the hold.'),
  has_ended: described(Type.Boolean(), 'Whether the hold is to end now.'),
  seconds: described(Type.Number(), 'Seconds that the job is held from now on.'),
  terminals: described(Type.Array(WantedTerminal), 'Shells that the runner is to open now.'),
})

export const ChangeRunnerHold = Type.Object({
  ...RunnerJobId.properties,
  seconds: described(seconds, 'Seconds that the job is held from now on.'),
})

export const EndRunnerHold = Type.Object({
  ...RunnerJobId.properties,
  reason: described(Type.Optional(OneOf(...HOLD_ENDS)), 'Why the hold has ended; `time` by default.'),
})
