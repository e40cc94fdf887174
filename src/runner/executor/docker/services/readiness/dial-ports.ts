import { connect } from 'node:net'

import { pause } from '../../../../../lib/pause.js'

const FIRST_PAUSE = 50
const LONGEST_PAUSE = 250
/** A machine that is near answers at once, if only with a refusal. */
const PATIENCE = 2000

/**
 * Dials until one of the ports is open. `unreachable`: nothing answers at the address, not even with a refusal, so that
 * nothing can be said of the ports from here. Throws the signal's reason when it aborts.
 */
export async function dialUntilOpen(
  host: string,
  ports: number[],
  signal: AbortSignal,
): Promise<'open' | 'unreachable'> {
  for (let wait = FIRST_PAUSE; ; wait = Math.min(wait * 2, LONGEST_PAUSE)) {
    signal.throwIfAborted()
    const answers = await Promise.all(ports.map((port) => dial(host, port, signal)))
    if (answers.includes('open')) return 'open'
    if (answers.every((answer) => answer === 'silent')) return 'unreachable'
    await pause(wait, signal)
  }
}

function dial(host: string, port: number, signal: AbortSignal): Promise<'open' | 'refused' | 'silent'> {
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: PATIENCE, signal })
    const answer = (result: 'open' | 'refused' | 'silent') => {
      socket.destroy()
      resolve(result)
    }
    socket.once('connect', () => answer('open'))
    socket.once('timeout', () => answer('silent'))
    socket.on('error', (error: NodeJS.ErrnoException) => {
      answer(error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET' ? 'refused' : 'silent')
    })
  })
}
