import { Counter, Histogram, type Registry } from 'prom-client'

const MILLISECONDS_PER_SECOND = 1000

/** Milliseconds between two samples. Those of an idle process would be most of what wakes it. */
const EVERY = { busy: 100, idle: 1000 }
/** Share of the time in which the event loop of a process with something to do works. */
const BUSY = 0.02

/**
 * Samples how late timers run: a request waits as long for its turn. The `nodejs_eventloop_lag` metrics have only the
 * time since the last request of the metrics, and cannot be added up over coordinators. Ends when `signal` aborts.
 */
export function measureEventLoop(registry: Registry, signal: AbortSignal): void {
  const delay = new Histogram({
    name: 'switchyard_event_loop_delay_seconds',
    help: 'How late the event loop was, sampled ten times a second, and once a second while there is nothing to do',
    buckets: [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5],
    registers: [registry],
  })
  let busy = 0
  const active = new Counter({
    name: 'switchyard_event_loop_active_seconds_total',
    help: 'Time in which the event loop was not idle; its rate is the utilization',
    registers: [registry],
    collect: () => {
      const now = performance.eventLoopUtilization().active / MILLISECONDS_PER_SECOND
      active.inc(Math.max(0, now - busy))
      busy = now
    },
  })
  let used = performance.eventLoopUtilization()
  let timer: NodeJS.Timeout
  const sampleAfter = (interval: number): void => {
    const due = performance.now() + interval
    timer = setTimeout(() => {
      delay.observe(Math.max(0, performance.now() - due) / MILLISECONDS_PER_SECOND)
      const { utilization } = performance.eventLoopUtilization(used)
      used = performance.eventLoopUtilization()
      sampleAfter(utilization > BUSY ? EVERY.busy : EVERY.idle)
    }, interval).unref()
  }
  sampleAfter(EVERY.busy)
  signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
}
