// Loaded into a coordinator before everything else: tells its parent how long its event loop was blocked.
import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'

const NANOSECONDS_PER_MILLISECOND = 1e6

const delay = monitorEventLoopDelay({ resolution: 1 })
delay.enable()

let used = processorTime()
let longestTurn = 0
// Timers run once in a turn of the event loop, so what the thread has used since the last time is that of one turn.
setInterval(measureTurn, 1).unref()

function measureTurn() {
  const now = processorTime()
  longestTurn = Math.max(longestTurn, now - used)
  used = now
}

/** Of the main thread, in milliseconds, precise to a few of them. Other processes do not add to it. */
function processorTime() {
  return Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / NANOSECONDS_PER_MILLISECOND
}

process.on('message', (message) => {
  measureTurn()
  if (message === 'reset') {
    delay.reset()
    longestTurn = 0
  }
  process.send?.({ delay: delay.max / NANOSECONDS_PER_MILLISECOND, turn: longestTurn })
})
// The coordinator ends when nothing but its parent is left.
process.channel?.unref()
