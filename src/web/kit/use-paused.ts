import { useEffect, useState } from 'preact/hooks'

/** Milliseconds without a change after which a text counts. */
const PAUSE = 150

/** A text as it was at the last pause of the reader, for requests that would else be made for each character. */
export function usePaused(text: string): string {
  const [paused, setPaused] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), PAUSE)
    return () => clearTimeout(timer)
  }, [text])
  return paused
}
