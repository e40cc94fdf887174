import { Compile } from 'typebox/compile'

import { isRecord } from '../../lib/is-record.js'
import { JobPayload } from '../../protocol/job-payload.js'

/**
 * The content of a 201 response to a job request. `unreadable` is a job that this runner cannot run. The
 * coordinator believes that it runs, so the runner must report it as failed.
 */
export type ReceivedJob =
  | { kind: 'job'; payload: JobPayload }
  | { kind: 'unreadable'; id: number; token: string; problem: string }

const payloadCheck = Compile(JobPayload)

/** Returns undefined if not even the ID and the token of the job can be read. */
export function readJobResponse(body: unknown): ReceivedJob | undefined {
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

/** Removes nulls, because null means "empty" everywhere (runner protocol, 2.4). */
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
