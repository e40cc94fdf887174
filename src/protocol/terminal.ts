/**
 * The messages of a terminal over a WebSocket (runner protocol, 12.8). A binary message is one byte with the channel, and
 * the bytes. A text message is JSON.
 */
export const TERMINAL_PROTOCOL = 'switchyard.terminal'

export const CHANNELS = { stdin: 0, stdout: 1, stderr: 2 } as const

/** What the person sends beside bytes. `end`: the input has ended. */
export type PersonMessage = { kind: 'resize'; columns: number; rows: number } | { kind: 'end' }

/** What the coordinator sends to the person: the terminal will end unless something is typed. */
export interface CoordinatorMessage {
  kind: 'warning'
  message: string
}

/** What the runner sends beside bytes, once. */
export type RunnerMessage = { kind: 'exit'; code: number } | { kind: 'error'; message: string }
