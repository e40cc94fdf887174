/** Milliseconds after which later callers no longer wait for a call that has not ended. */
const MAX_WAIT = 1000

/**
 * Coalesces calls of `ask`. All callers that arrive during a call share the next one, which begins when the current
 * one ends. So every caller gets a result that was requested after its call, and there is one call at a time. A
 * call that hangs affects only its own callers.
 */
export function shareNextCall<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined

  return () => (next ??= underWay.then(begin))

  function begin(): Promise<T> {
    next = undefined
    const response = ask()
    underWay = waitForEnd(response)
    return response
  }
}

/** Its callers receive the error. */
function waitForEnd(call: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_WAIT)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    call.then(end, end)
  })
}
