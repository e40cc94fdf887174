import { setImmediate as nextTurn } from 'node:timers/promises'

const ATTEMPTS = 5
const MICROSECONDS_PER_MILLISECOND = 1000

/**
 * The longest time for which a reader keeps the event loop, in milliseconds. A result above `limit` is processor time, and
 * the least of several attempts: other processes, and the collection of what earlier texts left, do not add to it.
 */
export async function longestTurn(read: () => unknown, limit: number): Promise<number> {
  let least = await turnOf(read, () => performance.now())
  for (let attempt = 0; attempt < ATTEMPTS && least > limit; attempt++) {
    least = Math.min(least, await turnOf(read, processorTime))
  }
  return least
}

async function turnOf(read: () => unknown, now: () => number): Promise<number> {
  let longest = 0
  let started = now()
  const endTurn = () => {
    longest = Math.max(longest, now() - started)
  }
  const reading = { isDone: false }
  const result = Promise.resolve(read()).finally(() => (reading.isDone = true))
  do {
    await nextTurn()
    endTurn()
    started = now()
  } while (!reading.isDone)
  await result
  return longest
}

function processorTime(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / MICROSECONDS_PER_MILLISECOND
}
