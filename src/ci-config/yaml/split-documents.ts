/** One document of a file, and the line and column that it starts on, from 1. */
export interface DocumentText {
  text: string
  firstLine: number
  firstColumn: number
}

const DELIMITER = '---'

/**
 * Splits at lines that start with `---` and a blank or line end (CI language, 1.2); leaves out empty
 * documents. Lazy: documents that the caller does not request cost nothing.
 */
export function* splitDocuments(text: string): Generator<DocumentText> {
  let start = 0
  let firstLine = 1
  let firstColumn = 1
  for (const { index } of text.matchAll(/^---(?=\s)/gm)) {
    const document = { text: text.slice(start, index), firstLine, firstColumn }
    if (isWritten(document)) yield document
    firstLine += countLines(document.text)
    start = index + DELIMITER.length
    firstColumn = DELIMITER.length + 1
  }
  const last = { text: text.slice(start), firstLine, firstColumn }
  if (isWritten(last)) yield last
}

function isWritten({ text }: DocumentText): boolean {
  return /\S/.test(text)
}

function countLines(text: string): number {
  let lines = 0
  for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) lines += 1
  return lines
}
