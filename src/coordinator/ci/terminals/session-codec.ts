import { CHANNELS, type RunnerMessage } from '../../../protocol/terminal.js'
import type { TerminalCodec } from './terminal-codec.js'

/**
 * Bytes of one message to a session server. The reference runner reads a message into a buffer of 32 KiB, and loses what
 * is longer.
 */
const MAX_INPUT = 16 * 1024
const END_OF_TRANSMISSION = 4

/**
 * The messages of the subprotocol `terminal.gitlab.com` are the bytes of the terminal, in both directions. It has no
 * message for a size, the end of the input, or an exit code: the shell ends when its connection does (runner protocol,
 * 12.8).
 */
export const sessionCodec: TerminalCodec = {
  decode: (data) => Buffer.concat([Buffer.of(CHANNELS.stdout), data]),

  encode(data, isBinary) {
    if (!isBinary || data[0] !== CHANNELS.stdin) return []
    const pieces: Buffer[] = []
    for (let at = 1; at < data.length; at += MAX_INPUT) pieces.push(data.subarray(at, at + MAX_INPUT))
    return pieces
  },

  // Otherwise a shell in a container would stay until the end of the job.
  farewell: Buffer.of(END_OF_TRANSMISSION),

  ended(isLost): RunnerMessage {
    return isLost
      ? { kind: 'error', message: 'The connection to the session server of the runner was lost' }
      : { kind: 'exit', code: 0 }
  },
}
