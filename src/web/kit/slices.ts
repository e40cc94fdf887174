/** Maximum duration of a slice, in milliseconds: the browser can paint and handle input between two slices. */
const SLICE = 8

const waiting = new Set<() => void>()
let timer: ReturnType<typeof setTimeout> | undefined

/**
 * Calls `work` soon, in a short task, so that many calls together do not block the page. A function that is waiting
 * already is called once.
 * @returns cancels the call if it has not been made yet
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
