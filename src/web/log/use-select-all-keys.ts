import { useEffect, useRef } from 'preact/hooks'

import type { LineRange } from '../kit/line-range.js'

interface SelectAll {
  /** Number of lines of the log. */
  lines: number
  selection: LineRange | undefined
  selectAll: (range: LineRange) => void
  copy: (range: LineRange) => void
}

/**
 * `Ctrl A` selects the lines of the log instead of the page, of which only the lines in sight are part; a second time, the
 * page. `Ctrl C` copies the lines that are selected, unless a text is.
 */
export function useSelectAllKeys(log: { current: HTMLElement | null }, given: SelectAll): void {
  const latest = useRef(given)
  latest.current = given
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return
      if (document.documentElement.dataset['keys'] === 'off' || !isFor(log.current)) return
      const { lines, selection, selectAll, copy } = latest.current
      if (event.key === 'a' && lines > 0 && !(selection?.first === 1 && selection.last === lines)) {
        event.preventDefault()
        window.getSelection()?.removeAllRanges()
        selectAll({ first: 1, last: lines })
      } else if (event.key === 'c' && selection && window.getSelection()?.isCollapsed !== false) {
        event.preventDefault()
        copy(selection)
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [log])
}

/** Whether the focus is in the log, or nowhere; in a field, the keys act on its text. */
function isFor(log: HTMLElement | null): boolean {
  const { activeElement: active, body } = document
  if (document.querySelector('dialog[open]') || active instanceof HTMLInputElement) return false
  return active === null || active === body || (log?.contains(active) ?? false)
}
