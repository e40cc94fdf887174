import { type Static, Type } from 'typebox'

import { messageOf } from '../../../lib/errors.js'
import { FAILURE_REASONS } from '../../../protocol/failure-reason.js'
import type { JobOutcome } from '../outcome.js'

const Stop = Type.Union([
  Type.Object({ kind: Type.Enum(['aborted', 'canceled']) }),
  Type.Object({ kind: Type.Enum(['timeout', 'script-timeout', 'prepare-timeout']), seconds: Type.Number() }),
  Type.Object({ kind: Type.Literal('interrupted'), by: Type.String() }),
  Type.Object({ kind: Type.Literal('broken'), problem: Type.String() }),
])

/** A `JobOutcome` in JSON. */
export const RecordedOutcome = Type.Union([
  Type.Object({ kind: Type.Literal('success') }),
  Type.Object({
    kind: Type.Literal('failed'),
    message: Type.String(),
    reason: Type.Enum(FAILURE_REASONS),
    exitCode: Type.Optional(Type.Integer()),
  }),
  Type.Object({ kind: Type.Literal('stopped'), stop: Stop }),
  Type.Object({ kind: Type.Literal('system-failure'), message: Type.String() }),
])
export type RecordedOutcome = Static<typeof RecordedOutcome>

export function recordOutcome(outcome: JobOutcome): RecordedOutcome {
  if (outcome.kind !== 'system-failure') return outcome
  return { kind: 'system-failure', message: messageOf(outcome.error) }
}

export function recallOutcome(recorded: RecordedOutcome): JobOutcome {
  if (recorded.kind !== 'system-failure') return recorded
  return { kind: 'system-failure', error: new Error(recorded.message) }
}
