import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

import type { Logger } from '../../lib/logger.js'

const run = promisify(execFile)

/** What the service manager is told about the daemon; the names are those of sd_notify(3). */
export interface Notifier {
  ready(status: string): Promise<void>
  reloading(): Promise<void>
  stopping(): Promise<void>
  status(text: string): Promise<void>
  /** The sign of life that the watchdog waits for. */
  alive(): Promise<void>
}

/**
 * Speaks to the service manager that `NOTIFY_SOCKET` names, if any. Node.js cannot send datagrams to a unix socket, so
 * systemd's own program does it; the unit has to accept that (`NotifyAccess=all`).
 */
export function createNotifier(environment: NodeJS.ProcessEnv, logger: Logger): Notifier {
  const send = environment['NOTIFY_SOCKET'] ? queued(environment, logger) : async () => {}
  return {
    ready: (status) => send('READY=1', `STATUS=${status}`),
    reloading: () => send('RELOADING=1', `MONOTONIC_USEC=${process.hrtime.bigint() / 1000n}`),
    stopping: () => send('STOPPING=1', 'STATUS=Stops, and takes no more jobs'),
    status: (text) => send(`STATUS=${text}`),
    alive: () => send('WATCHDOG=1'),
  }
}

/** One message after the other: the last one is to be the last that arrives. Never rejects. */
function queued(environment: NodeJS.ProcessEnv, logger: Logger) {
  let queue: Promise<void> = Promise.resolve()
  const send = async (lines: string[]) => {
    try {
      await run('systemd-notify', lines, { env: environment, timeout: 10_000 })
    } catch (error) {
      logger.warn({ err: error, lines }, 'The service manager could not be told')
    }
  }
  return (...lines: string[]) => (queue = queue.then(() => send(lines)))
}
