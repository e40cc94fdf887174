/** Styles that decide where the characters of a field are. */
const COPIED = [
  ...(['font', 'letterSpacing', 'lineHeight', 'paddingTop', 'paddingRight', 'paddingBottom'] as const),
  ...(['paddingLeft', 'borderTopWidth', 'borderRightWidth', 'borderBottomWidth', 'borderLeftWidth'] as const),
  ...(['textIndent', 'tabSize', 'wordSpacing'] as const),
]

/** Where a character of a field is, in pixels from the corner of the field: the bottom of its line. */
export function caretPosition(area: HTMLTextAreaElement, index: number): { left: number; top: number } {
  const mirror = document.createElement('div')
  const style = getComputedStyle(area)
  for (const name of COPIED) mirror.style[name] = style[name]
  mirror.style.position = 'absolute'
  mirror.style.visibility = 'hidden'
  mirror.style.whiteSpace = 'pre-wrap'
  mirror.style.overflowWrap = 'break-word'
  mirror.style.boxSizing = 'border-box'
  mirror.style.width = `${area.offsetWidth}px`
  mirror.textContent = area.value.slice(0, index)
  const mark = document.createElement('span')
  mark.textContent = '.'
  mirror.append(mark)
  area.parentElement?.append(mirror)
  const place = { left: mark.offsetLeft, top: mark.offsetTop + mark.offsetHeight - area.scrollTop }
  mirror.remove()
  return place
}
