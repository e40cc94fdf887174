import type { RunnerMessage } from '../../../protocol/terminal.js'

/** Translates between the messages of a terminal (runner protocol, 12.8) and those of a runner that has others. */
export interface TerminalCodec {
  /** The binary message of a terminal for a message of the runner. */
  decode(data: Buffer): Buffer
  /** The binary messages to the runner for a message of a terminal; none if the runner has nothing like it. */
  encode(data: Buffer, isBinary: boolean): Buffer[]
  /** The last message to the runner when the person leaves. */
  readonly farewell: Buffer
  /** The last message to the person when the runner closes. `isLost`: the connection has failed. */
  ended(isLost: boolean): RunnerMessage
}
