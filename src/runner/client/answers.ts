import { readAtMost } from '../../lib/read-at-most.js'
import { CoordinatorAnswerError } from './errors.js'
import type { Answer } from './http-transport.js'

/** Maximum size of a successful response. The largest is a job, with its script and variables. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024
/** Maximum size of an error response. */
const MAX_REFUSAL_BYTES = 1024 * 1024

export function isJson(answer: Answer): boolean {
  return /^application\/json\s*(;|$)/i.test(header(answer, 'content-type') ?? '')
}

export function header(answer: Answer, name: string): string | undefined {
  const value = answer.headers[name]
  return Array.isArray(value) ? value[0] : value
}

export async function refusal(answer: Answer, what: string): Promise<CoordinatorAnswerError> {
  return new CoordinatorAnswerError(`${what}: ${await messageIn(answer)}`, answer.status)
}

/** The error message of the server, or the status if there is none (runner protocol, 0). */
export async function messageIn(answer: Answer): Promise<string> {
  if (!isJson(answer)) {
    await answer.body.dump()
    return `status ${answer.status}`
  }
  const body = (await parsed(answer, MAX_REFUSAL_BYTES)) as { message?: unknown } | null
  const message = body?.message ?? `status ${answer.status}`
  return typeof message === 'string' ? message : JSON.stringify(message)
}

export async function readJson(answer: Answer): Promise<unknown> {
  if (isJson(answer)) return parsed(answer, MAX_ANSWER_BYTES)
  await answer.body.dump()
  const type = header(answer, 'content-type') ?? 'no content type'
  throw new CoordinatorAnswerError(
    `The coordinator answered ${type} instead of JSON. Check its URL.`,
    answer.status,
  )
}

async function parsed(answer: Answer, maxBytes: number): Promise<unknown> {
  return JSON.parse((await readAtMost(answer.body, maxBytes)).toString('utf8'))
}
