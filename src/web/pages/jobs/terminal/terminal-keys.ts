import type { Terminal } from '@xterm/xterm'

/**
 * What keys do beside going to the shell. Ctrl-C copies what is selected, and interrupts without a selection. Ctrl-V pastes.
 * `onLeave`: the keys that take the focus out of the terminal were pressed.
 * @returns whether the terminal handles the key
 */
export function handlesKey(
  terminal: Pick<Terminal, 'hasSelection'>,
  event: Pick<
    KeyboardEvent,
    'type' | 'key' | 'ctrlKey' | 'shiftKey' | 'altKey' | 'metaKey' | 'preventDefault'
  >,
  onLeave: () => void,
): boolean {
  const { ctrlKey, shiftKey, altKey, metaKey } = event
  const key = event.key.toLowerCase()
  if (altKey || metaKey) return true
  if ((key === 'escape' && ctrlKey && shiftKey) || (key === 'f6' && shiftKey)) {
    event.preventDefault()
    if (event.type === 'keydown') onLeave()
    return false
  }
  // The browser does what it does in every field: it fires the events of the clipboard.
  if (ctrlKey && key === 'v') return false
  if (ctrlKey && key === 'c' && !shiftKey && terminal.hasSelection()) return false
  if (ctrlKey && shiftKey && key === 'c') {
    // The browser would open its tools.
    event.preventDefault()
    // oxlint-disable-next-line typescript/no-deprecated -- nothing else fires the event that the terminal copies at
    if (event.type === 'keydown') document.execCommand('copy')
    return false
  }
  return true
}
