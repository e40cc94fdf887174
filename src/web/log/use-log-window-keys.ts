import { useEffect } from 'preact/hooks'

/** `Ctrl F` leads to the search of the log, which covers all of it, and a second time to that of the browser. */
export function useSearchKey(field: { current: HTMLInputElement | null }): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.key !== 'f' || event.altKey || event.shiftKey) return
      if (document.documentElement.dataset['keys'] === 'off' || document.activeElement === field.current)
        return
      if (document.querySelector('dialog[open]')) return
      event.preventDefault()
      field.current?.select()
      field.current?.focus()
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [field])
}

/** `Escape` ends the full window. */
export function useEscapeFromFull(isFull: boolean, end: () => void): void {
  useEffect(() => {
    if (!isFull) return undefined
    // In the capture phase, before the handlers that close what contains the log.
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || document.querySelector(':popover-open')) return
      event.preventDefault()
      end()
    }
    window.addEventListener('keydown', onKeyDown, true)
    return () => window.removeEventListener('keydown', onKeyDown, true)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `end` sets the same state each time
  }, [isFull])
}
