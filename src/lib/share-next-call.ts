/** Milliseconds after which a call that has not ended is waited for no longer. */
const MAX_WAIT = 1000

/**
 * Lets all who call while `ask` is under way share one more call of it, which begins when that one has ended: everyone gets
 * an answer that was not asked for before they came, and there is one question at a time. One that hangs is left to those
 * who asked it.
 */
export function shareNextCall<T>(ask: () => Promise<T>): () => Promise<T> {
  let underWay: Promise<unknown> = Promise.resolve()
  let next: Promise<T> | undefined

  return () => (next ??= underWay.then(begin))

  function begin(): Promise<T> {
    next = undefined
    const answer = ask()
    underWay = endOf(answer)
    return answer
  }
}

/** Its callers hear of an error. */
function endOf(call: Promise<unknown>): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_WAIT)
    const end = () => {
      clearTimeout(timer)
      resolve()
    }
    call.then(end, end)
  })
}
