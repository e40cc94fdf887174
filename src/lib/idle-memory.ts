import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Idle milliseconds after which memory is released. The engine shrinks the space for new objects only if hardly any
 * were allocated in the last seconds. So it runs twice, with a pause in between.
 */
const QUIET_MILLISECONDS = [10_000, 16_000]

/**
 * Returns memory to the system when nothing has run for a while. Otherwise the heap would keep the size that the
 * start or a burst of jobs needed, because an idle process creates too little garbage to be collected.
 */
export class IdleMemory {
  private timers: NodeJS.Timeout[] = []

  /** Must be called at the start, and when the work has ended. */
  quiet(): void {
    this.stop()
    this.timers = QUIET_MILLISECONDS.map((milliseconds) => setTimeout(collectGarbage, milliseconds).unref())
  }

  /** Must be called when work begins, and at the end. */
  stop(): void {
    this.timers.splice(0).forEach((timer) => clearTimeout(timer))
  }
}

/**
 * The function exists only in programs that were started with a flag. A new context also sees a flag that is set
 * later.
 */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  setFlagsFromString('--no-expose-gc')
}
