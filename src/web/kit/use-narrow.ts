import { useEffect, useState } from 'preact/hooks'

const QUERIES = { 700: window.matchMedia('(width < 700px)'), 800: window.matchMedia('(width < 800px)') }

/**
 * Whether the window is narrow, for what a style sheet cannot say.
 * @param below width in pixels: below 800, the navigation is a drawer; below 700, tables become rows of two lines
 */
export function useNarrow(below: keyof typeof QUERIES = 800): boolean {
  const query = QUERIES[below]
  const [isNarrow, setNarrow] = useState(query.matches)
  useEffect(() => {
    const onChange = () => setNarrow(query.matches)
    onChange()
    query.addEventListener('change', onChange)
    return () => query.removeEventListener('change', onChange)
  }, [query])
  return isNarrow
}
