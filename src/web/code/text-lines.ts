/** Width of a tab, in characters. */
const TAB = 4

/** The lines of a text, without their ends. A text that ends with a line end has no empty line behind it. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** The width of the widest line, in characters. */
export function widestLine(lines: readonly string[]): number {
  let widest = 0
  for (const line of lines) if (line.length * TAB > widest) widest = Math.max(widest, widthOf(line))
  return widest
}

/** Width of the mark of an invisible character. */
const MARK = 8

function widthOf(line: string): number {
  let width = 0
  for (const character of line) {
    if (character === '\t') width += TAB - (width % TAB)
    else
      width += isMarked(character.codePointAt(0) ?? 0) ? MARK : isWide(character.codePointAt(0) ?? 0) ? 2 : 1
  }
  return width
}

/** Those of the invisible characters of which a line may have many. */
function isMarked(code: number): boolean {
  return (
    (code >= 0x200b && code <= 0x200f) ||
    (code >= 0x202a && code <= 0x202e) ||
    (code >= 0x2060 && code <= 0x206f)
  )
}

/** Roughly what terminals show in two columns: the scripts of East Asia, and emoji. */
function isWide(code: number): boolean {
  return code >= 0x1100 && (code < 0x1160 || (code >= 0x2e80 && code < 0xffff) || code >= 0x1f300)
}
