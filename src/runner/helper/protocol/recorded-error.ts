import { type Static, Type } from 'typebox'

import { messageOf } from '../../../lib/errors.js'
import { FAILURE_REASONS } from '../../../protocol/failure-reason.js'
import { ExecutorError } from '../../executor/executor.js'
import { JobStopError } from '../../job/job-control.js'
import { Stop } from '../../job/journal/job-state.js'
import { SourcesError } from '../../workspace/workspace.js'

/** An error as JSON. Those that decide the outcome of a job arrive as the same class. */
export const RecordedError = Type.Union([
  Type.Object({
    kind: Type.Literal('sources'),
    message: Type.String(),
    exitCode: Type.Optional(Type.Integer()),
  }),
  Type.Object({ kind: Type.Literal('executor'), message: Type.String(), reason: Type.Enum(FAILURE_REASONS) }),
  Type.Object({ kind: Type.Literal('stopped'), stop: Stop }),
  /** `code`: that of an error of the system, such as `ENOSPC`. */
  Type.Object({ kind: Type.Literal('other'), message: Type.String(), code: Type.Optional(Type.String()) }),
])
export type RecordedError = Static<typeof RecordedError>

export function recordError(error: unknown): RecordedError {
  const message = messageOf(error)
  if (error instanceof SourcesError) {
    const { exitCode } = error
    return { kind: 'sources', message, ...(exitCode === undefined ? {} : { exitCode }) }
  }
  if (error instanceof ExecutorError) return { kind: 'executor', message, reason: error.reason }
  if (error instanceof JobStopError) return { kind: 'stopped', stop: error.stop }
  const code = error instanceof Error && 'code' in error ? { code: String(error.code) } : {}
  return { kind: 'other', message, ...code }
}

export function recallError(recorded: RecordedError): Error {
  switch (recorded.kind) {
    case 'sources':
      return new SourcesError(recorded.message, recorded.exitCode)
    case 'executor':
      return new ExecutorError(recorded.message, recorded.reason)
    case 'stopped':
      return new JobStopError(recorded.stop)
    case 'other': {
      const error = new Error(recorded.message)
      return recorded.code === undefined ? error : Object.assign(error, { code: recorded.code })
    }
  }
}
