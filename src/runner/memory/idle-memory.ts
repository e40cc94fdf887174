import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/**
 * Milliseconds without a job after which memory is given back. The engine takes back the room for new objects only
 * when hardly any were made in the seconds before, hence twice, with some rest between.
 */
const QUIET_MILLISECONDS = [10_000, 16_000]

/**
 * Gives memory back to the system once nothing has run for a while: what starting, or a burst of jobs, made the heap
 * grow to would else stay for as long as the process, because an idle one makes too little garbage to be collected.
 */
export class IdleMemory {
  private timers: NodeJS.Timeout[] = []

  /** To be called at the start, and when the last job has ended. */
  quiet(): void {
    this.stop()
    this.timers = QUIET_MILLISECONDS.map((milliseconds) => setTimeout(collectGarbage, milliseconds).unref())
  }

  /** To be called when a job begins, and at the end. */
  stop(): void {
    this.timers.splice(0).forEach((timer) => clearTimeout(timer))
  }
}

/** The function is there for programs that were started with a flag; a new context sees the flag set later too. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc()')
  setFlagsFromString('--no-expose-gc')
}
