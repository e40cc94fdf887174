import { IdleMemory } from '../../lib/idle-memory.js'

/** Milliseconds between two samples. */
const EVERY = 5000
/** Share of the time in which the event loop of a busy coordinator works. 1,000 runners that only wait need a fifth of it. */
const BUSY = 0.1

/** Returns memory to the system after the start, and after each time in which there was much to do. Ends with `signal`. */
export function releaseMemoryWhenIdle(
  signal: AbortSignal,
  memory: Pick<IdleMemory, 'quiet' | 'stop'> = new IdleMemory(),
): void {
  let wasBusy = true
  let sampled = performance.eventLoopUtilization()
  const timer = setInterval(() => {
    const isBusy = performance.eventLoopUtilization(sampled).utilization >= BUSY
    sampled = performance.eventLoopUtilization()
    if (isBusy) memory.stop()
    else if (wasBusy) memory.quiet()
    wasBusy = isBusy
  }, EVERY).unref()
  const end = (): void => {
    clearInterval(timer)
    memory.stop()
  }
  signal.addEventListener('abort', end, { once: true })
}
