import { useEffect, useRef } from 'preact/hooks'

/** What each key does, by `KeyboardEvent.key`; two keys after each other are written as `g p`. */
export type KeyBindings = Record<string, () => void>

let prefix: { key: string; at: number } | undefined
const PREFIX_MILLISECONDS = 1200

/**
 * Binds keys while the component is on the page. Keys do nothing while the focus is in a field, while a dialog is open,
 * or if the reader has switched them off in the preferences.
 */
export function useKeys(bindings: KeyBindings): void {
  const current = useRef(bindings)
  current.current = bindings
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return
      if (document.documentElement.dataset['keys'] === 'off') return
      const pressed =
        prefix && event.timeStamp - prefix.at < PREFIX_MILLISECONDS ? `${prefix.key} ${event.key}` : ''
      const act = current.current[pressed] ?? current.current[event.key]
      if (act) {
        event.preventDefault()
        prefix = undefined
        act()
      } else if (Object.keys(current.current).some((key) => key.startsWith(`${event.key} `))) {
        prefix = { key: event.key, at: event.timeStamp }
      }
    }
    window.addEventListener('keydown', onKeyDown)
    return () => window.removeEventListener('keydown', onKeyDown)
  }, [])
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]')) return true
  return (
    target instanceof HTMLElement &&
    target.matches('input, textarea, select, [contenteditable], [role=textbox]')
  )
}
