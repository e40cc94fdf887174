/** One document of a file, and the line that it starts on. */
export interface DocumentText {
  text: string
  firstLine: number
}

/** Cuts at lines that begin with `---` and a blank or line end (CI language, 1.2). */
export function splitDocuments(text: string): DocumentText[] {
  const documents: DocumentText[] = []
  let start = 0
  let firstLine = 1
  for (const { index } of text.matchAll(/^---(?=\s)/gm)) {
    const document = { text: text.slice(start, index), firstLine }
    documents.push(document)
    firstLine += countLines(document.text)
    start = index + '---'.length
  }
  documents.push({ text: text.slice(start), firstLine })
  return documents.filter((document) => document.text.trim() !== '')
}

function countLines(text: string): number {
  return text.split('\n').length - 1
}
