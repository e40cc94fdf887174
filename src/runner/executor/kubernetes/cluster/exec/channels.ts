import { isRecord } from '../../../../../lib/is-record.js'
import { statusError } from '../api/api-errors.js'
import type { ClusterError } from '../cluster.js'

/** Protocols of commands in containers, in order of preference. Only the first can say that the input has ended. */
export const EXEC_PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'] as const
export const CLOSING_PROTOCOL: string = EXEC_PROTOCOLS[0]

/** The first byte of each message. */
export const CHANNEL = { stdin: 0, stdout: 1, stderr: 2, status: 3, resize: 4, close: 255 } as const

/** How a command ended. */
export type CommandEnd = { exitCode: number } | { error: ClusterError }

/** Reads the message of the channel `status`. */
export function readCommandEnd(message: Buffer, server: URL): CommandEnd {
  let status: unknown
  try {
    status = JSON.parse(message.toString('utf8'))
  } catch {
    // The error says that nothing was explained.
  }
  if (!isRecord(status)) return { error: statusError(status, undefined, server) }
  if (status['status'] === 'Success') return { exitCode: 0 }
  const exitCode = status['reason'] === 'NonZeroExitCode' ? exitCodeOf(status['details']) : undefined
  if (exitCode !== undefined) return { exitCode }
  const code = status['code']
  return { error: statusError(status, typeof code === 'number' ? code : undefined, server) }
}

function exitCodeOf(details: unknown): number | undefined {
  const causes = isRecord(details) ? details['causes'] : undefined
  if (!Array.isArray(causes)) return undefined
  const cause: unknown = causes.find((each: unknown) => isRecord(each) && each['reason'] === 'ExitCode')
  const code = isRecord(cause) ? Number(cause['message']) : NaN
  return Number.isInteger(code) ? code : undefined
}
