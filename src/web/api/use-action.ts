import { useRef, useState } from 'preact/hooks'

import { RequestError } from './client.js'

export interface Action<Args extends unknown[]> {
  run: (...args: Args) => Promise<void>
  isBusy: boolean
  error: RequestError | undefined
  clear: () => void
}

/**
 * Carries out a change. While it runs, `isBusy` is true and further calls do nothing.
 * @param act makes the requests; a RequestError that it throws becomes `error`, and is passed to `onError`
 */
export function useAction<Args extends unknown[]>(
  act: (...args: Args) => Promise<unknown>,
  onError?: (error: RequestError) => void,
): Action<Args> {
  const [isBusy, setBusy] = useState(false)
  const [error, setError] = useState<RequestError>()
  const isRunning = useRef(false)
  const run = async (...args: Args) => {
    if (isRunning.current) return
    isRunning.current = true
    setBusy(true)
    setError(undefined)
    try {
      await act(...args)
    } catch (thrown) {
      if (!(thrown instanceof RequestError)) throw thrown
      setError(thrown)
      onError?.(thrown)
    } finally {
      isRunning.current = false
      setBusy(false)
    }
  }
  return { run, isBusy, error, clear: () => setError(undefined) }
}
