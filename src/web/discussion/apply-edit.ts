import type { SelectedText, TextEdit } from './edit-text.js'

/** The text and the selection of a field. */
export function selectedText({ value, selectionStart, selectionEnd }: HTMLTextAreaElement): SelectedText {
  return { value, start: selectionStart, end: selectionEnd }
}

/** Changes the text of a field as if it was typed, so that it can be undone. */
export function applyEdit(
  area: HTMLTextAreaElement,
  { start, end, text, selectStart, selectEnd }: TextEdit,
): void {
  area.focus()
  area.setSelectionRange(start, end)
  // The only way to change a text that the browser can undo.
  // oxlint-disable-next-line typescript/no-deprecated
  const isDone = document.execCommand(text === '' ? 'delete' : 'insertText', false, text)
  if (!isDone) {
    area.setRangeText(text, start, end, 'end')
    area.dispatchEvent(new InputEvent('input', { bubbles: true }))
  }
  area.setSelectionRange(selectStart, selectEnd)
}
