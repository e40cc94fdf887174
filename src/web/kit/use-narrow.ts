import { useEffect, useState } from 'preact/hooks'

const NARROW = window.matchMedia('(width < 800px)')

/** Whether the window is narrow, for what a style sheet cannot say. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(NARROW.matches)
  useEffect(() => {
    const onChange = () => setNarrow(NARROW.matches)
    NARROW.addEventListener('change', onChange)
    return () => NARROW.removeEventListener('change', onChange)
  }, [])
  return isNarrow
}
