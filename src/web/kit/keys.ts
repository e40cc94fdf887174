import { useEffect, useRef } from 'preact/hooks'

/** What each key does, by `KeyboardEvent.key`; two keys after each other are written as `g p`. */
export type KeyBindings = Record<string, () => void>

let prefix: { key: string; at: number } | undefined
const PREFIX_MILLISECONDS = 1200

/**
 * Binds keys while the component is on the page. Keys do nothing while the focus is in a field, while a dialog is open,
 * or if the reader has switched them off in the preferences. `Enter` on a link or a button is for that one.
 */
export function useKeys(bindings: KeyBindings): void {
  const current = useRef(bindings)
  current.current = bindings
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      if (isTyping(event) || activates(event)) return
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

/** Takes the focus from a link or a button, so that `Enter` is for the row that a key has chosen. */
export function leaveFocus(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement) activeElement.blur()
}

/** Whether the key follows the link, or presses the button, that has the focus. */
function activates({ key, target }: KeyboardEvent): boolean {
  return key === 'Enter' && target instanceof HTMLElement && target.matches('a[href], button, summary')
}

function isTyping({ target }: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]')) return true
  return (
    target instanceof HTMLElement &&
    target.matches('input, textarea, select, [contenteditable], [role=textbox]')
  )
}
