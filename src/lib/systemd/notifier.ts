import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Logger } from '../logger.js'

const run = promisify(execFile)

/** Messages about the daemon to the service manager. The names are those of sd_notify(3). */
export interface Notifier {
  ready(status: string): Promise<void>
  reloading(): Promise<void>
  stopping(status: string): Promise<void>
  status(text: string): Promise<void>
  /** The keep-alive message for the watchdog. */
  alive(): Promise<void>
}

/**
 * Sends messages to the service manager in `NOTIFY_SOCKET`, if it is set. Node.js cannot send datagrams to a unix
 * socket, so systemd's own program does it. The unit must allow that (`NotifyAccess=all`).
 */
export function createNotifier(environment: NodeJS.ProcessEnv, logger: Logger): Notifier {
  const send = environment['NOTIFY_SOCKET'] ? queued(environment, logger) : async () => {}
  return {
    ready: (status) => send('READY=1', `STATUS=${status}`),
    reloading: () => send('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`),
    stopping: (status) => send('STOPPING=1', `STATUS=${status}`),
    status: (text) => send(`STATUS=${text}`),
    alive: () => send('WATCHDOG=1'),
  }
}

/** Sends one message after the other, so that they arrive in order. Never rejects. */
function queued(environment: NodeJS.ProcessEnv, logger: Logger) {
  let queue: Promise<void> = Promise.resolve()
  const send = async (lines: string[]) => {
    try {
      await run('systemd-notify', lines, { env: environment, timeout: 10_000 })
    } catch (error) {
      logger.warn({ err: error, lines }, 'The service manager could not be notified')
    }
  }
  return (...lines: string[]) => (queue = queue.then(() => send(lines)))
}
