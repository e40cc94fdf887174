import { connect, type Socket } from 'node:net'

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
    const answers = await dialAll(host, ports, signal)
    if (answers.includes('open')) return 'open'
    if (answers.every((answer) => answer === 'silent')) return 'unreachable'
    await pause(wait, signal)
  }
}

type Answer = 'open' | 'refused' | 'silent'

async function dialAll(host: string, ports: number[], signal: AbortSignal): Promise<Answer[]> {
  const sockets = ports.map((port) => connect({ host, port, timeout: PATIENCE }))
  const hangUp = () => sockets.forEach((socket) => socket.destroy())
  signal.addEventListener('abort', hangUp, { once: true })
  try {
    return await Promise.all(sockets.map(answerOf))
  } finally {
    signal.removeEventListener('abort', hangUp)
  }
}

function answerOf(socket: Socket): Promise<Answer> {
  return new Promise((resolve) => {
    let answer: Answer = 'silent'
    socket.once('close', () => resolve(answer))
    socket.once('connect', () => {
      answer = 'open'
      socket.destroy()
    })
    socket.once('timeout', () => socket.destroy())
    socket.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET') answer = 'refused'
    })
  })
}
