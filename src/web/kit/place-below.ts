const GAP = 4
const MARGIN = 8

/** Places an open popover below its button; above it, or to the left, where there is no room. */
export function placeBelow(button: HTMLElement | null, popover: HTMLElement | null): void {
  const at = button?.getBoundingClientRect()
  if (!at || !popover) return
  const { offsetWidth, offsetHeight } = popover
  const isBelow = at.bottom + offsetHeight + MARGIN < window.innerHeight || at.top < offsetHeight
  popover.style.top = `${isBelow ? at.bottom + GAP : at.top - offsetHeight - GAP}px`
  const left = at.left + offsetWidth + MARGIN > window.innerWidth ? at.right - offsetWidth : at.left
  popover.style.left = `${Math.max(MARGIN, left)}px`
}
