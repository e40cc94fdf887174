/** Longest time of one slice in milliseconds, so that a frame and an input still fit between two of them. */
const SLICE = 8

const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Calls `work` soon, in a short task among others, so that much of it together does not stall the page. The same function
 * waits once.
 * @returns drops the work that has not been done yet
 */
export function inSlices(work: () => void): () => void {
  waiting.add(work)
  timer ??= setTimeout(() => void runSlice(), 0)
  return () => void waiting.delete(work)
}

async function runSlice(): Promise<void> {
  const end = performance.now() + SLICE
  try {
    for (const work of waiting) {
      waiting.delete(work)
      work()
      // Components that `work` changes are rendered in a microtask, which counts too.
      await Promise.resolve()
      if (performance.now() >= end) break
    }
  } finally {
    timer = waiting.size > 0 ? setTimeout(() => void runSlice(), 0) : undefined
  }
}
