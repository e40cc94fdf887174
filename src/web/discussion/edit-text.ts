/** A change of a text: what replaces a range, and what is selected afterwards. */
export interface TextEdit {
  start: number
  end: number
  text: string
  selectStart: number
  selectEnd: number
}

/** A text with a selection, as a field has it. */
export interface SelectedText {
  value: string
  start: number
  end: number
}

/** Puts marks around the selection, or takes them away if they are there. */
export function wrapSelection({ value, start, end }: SelectedText, mark: string): TextEdit {
  const { length } = mark
  const inside = value.slice(start, end)
  if (value.slice(start - length, start) === mark && value.slice(end, end + length) === mark) {
    return {
      start: start - length,
      end: end + length,
      text: inside,
      selectStart: start - length,
      selectEnd: end - length,
    }
  }
  return {
    start,
    end,
    text: mark + inside + mark,
    selectStart: start + length,
    selectEnd: end + length,
  }
}

/** Marks the selection as code: a part of a line, or a block of lines. */
export function codeSelection(selected: SelectedText): TextEdit {
  const { value, start, end } = selected
  const inside = value.slice(start, end)
  if (!inside.includes('\n')) return wrapSelection(selected, '`')
  const text = `\`\`\`\n${inside.replace(/\n$/, '')}\n\`\`\`\n`
  return { start, end, text, selectStart: start + 3, selectEnd: start + 3 }
}

/** Makes a link of the selection; its address is selected, to be typed. */
export function linkSelection({ value, start, end }: SelectedText): TextEdit {
  const inside = value.slice(start, end)
  const isAddress = /^https?:\/\/\S+$/.test(inside)
  const text = isAddress ? `[](${inside})` : `[${inside}](url)`
  const at = isAddress ? start + 1 : start + inside.length + 3
  return { start, end, text, selectStart: at, selectEnd: isAddress ? at : at + 3 }
}

/** Begins each selected line with a mark such as `- `, or takes the mark away from all. */
export function prefixLines({ value, start, end }: SelectedText, prefix: string): TextEdit {
  const first = value.lastIndexOf('\n', start - 1) + 1
  const next = value.indexOf('\n', Math.max(start, end - 1))
  const last = next === -1 ? value.length : next
  const lines = value.slice(first, last).split('\n')
  const isMarked = lines.every((line) => line.startsWith(prefix))
  const text = lines.map((line) => (isMarked ? line.slice(prefix.length) : prefix + line)).join('\n')
  return { start: first, end: last, text, selectStart: first + text.length, selectEnd: first + text.length }
}

const ITEM = /^(\s*)(?:([-*+])|(\d{1,6})([.)]))( \[[ xX]\])? (.*)$/

/** What Enter at the end of an item of a list does: another item begins; an empty item ends the list. */
export function continueList({ value, start, end }: SelectedText): TextEdit | undefined {
  const first = value.lastIndexOf('\n', start - 1) + 1
  const [, indent = '', bullet, number, mark = '', box = '', text = ''] =
    ITEM.exec(value.slice(first, start)) ?? []
  if (start !== end || (bullet === undefined && number === undefined)) return undefined
  if (text.trim() === '') return { start: first, end, text: '', selectStart: first, selectEnd: first }
  const item = bullet ?? `${Number(number) + 1}${mark}`
  const next = `\n${indent}${item}${box === '' ? '' : ' [ ]'} `
  const at = start + next.length
  return { start, end, text: next, selectStart: at, selectEnd: at }
}
