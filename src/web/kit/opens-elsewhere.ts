/** Whether the browser opens the link of a click in another tab or window, or saves it. */
export function opensElsewhere({ button, metaKey, ctrlKey, shiftKey }: MouseEvent): boolean {
  return button !== 0 || metaKey || ctrlKey || shiftKey
}
