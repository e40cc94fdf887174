// Loaded into a coordinator before everything else: tells its parent how long its event loop was blocked.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const NANOSECONDS_PER_MILLISECOND = 1e6

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

process.on('message', (message) => {
  if (message === 'reset') delay.reset()
  process.send?.(delay.max / NANOSECONDS_PER_MILLISECOND)
})
// The coordinator ends when nothing but its parent is left.
process.channel?.unref()
