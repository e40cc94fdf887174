/** One document of a file, and the line and column that it starts on, from 1. */
export interface DocumentText {
  text: string
  firstLine: number
  firstColumn: number
}

const DELIMITER = '---'

/** Cuts at lines that begin with `---` and a blank or line end (CI language, 1.2). */
export function splitDocuments(text: string): DocumentText[] {
  const documents: DocumentText[] = []
  let start = 0
  let firstLine = 1
  let firstColumn = 1
  for (const { index } of text.matchAll(/^---(?=\s)/gm)) {
    const document = { text: text.slice(start, index), firstLine, firstColumn }
    documents.push(document)
    firstLine += countLines(document.text)
    start = index + DELIMITER.length
    firstColumn = DELIMITER.length + 1
  }
  documents.push({ text: text.slice(start), firstLine, firstColumn })
  return documents.filter((document) => document.text.trim() !== '')
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
