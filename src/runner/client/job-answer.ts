import { Compile } from 'typebox/compile'

import { isRecord } from '../../lib/is-record.js'
import { JobPayload } from '../../protocol/job-payload.js'

/**
 * What a 201 of a job request holds. `unreadable` is a job that the coordinator believes to be running and that this
 * runner cannot: it has to be told.
 */
export type ReceivedJob =
  { kind: 'job'; payload: JobPayload } | { kind: 'unreadable'; id: number; token: string; problem: string }

const payloadCheck = Compile(JobPayload)

/** Undefined when not even the job's id and token can be read. */
export function readJobAnswer(body: unknown): ReceivedJob | undefined {
  const payload = withoutNulls(body)
  if (!isRecord(payload)) return undefined
  fillGaps(payload)
  if (payloadCheck.Check(payload)) return { kind: 'job', payload }
  const { id, token } = payload
  if (typeof id !== 'number' || typeof token !== 'string') return undefined
  const [first] = payloadCheck.Errors(payload)
  return {
    kind: 'unreadable',
    id,
    token,
    problem: `${first?.instancePath ?? ''} ${first?.message ?? ''}`.trim(),
  }
}

/** A null stands for "empty" everywhere (runner protocol, 2.4). */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, inner]) => inner !== null)
      .map(([key, inner]) => [key, withoutNulls(inner)]),
  )
}

function fillGaps(payload: Record<string, unknown>): void {
  payload['variables'] ??= []
  payload['steps'] ??= []
  payload['allow_git_fetch'] ??= false
  payload['runner_info'] ??= { timeout: 0 }
  if (!Array.isArray(payload['variables'])) return
  for (const variable of payload['variables']) {
    if (isRecord(variable)) variable['value'] ??= ''
  }
}
