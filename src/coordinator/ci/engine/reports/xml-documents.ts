import { SaxesParser, type SaxesTagPlain } from 'saxes'

/** Reads the elements of one document. The depth of the root is 1. */
export interface XmlHandler {
  open: (tag: SaxesTagPlain, depth: number) => void
  close: (name: string, depth: number) => void
  text: (text: string) => void
  cdata?: (text: string) => void
}

/** A format of reports in XML. */
export interface XmlFormat {
  limits: {
    /** Characters without an element in between, which the parser buffers. */
    charactersAtOnce: number
    /** Elements inside one another. */
    depth: number
    /** Documents in one report. */
    documents: number
  }
  /** Makes the errors for what is refused. */
  refuse: {
    invalid: (message: string) => Error
    tooLong: () => Error
    tooDeep: () => Error
    tooManyDocuments: () => Error
  }
}

/**
 * Reads concatenated documents, such as the files of one report, each with a handler of its own; yields that handler after each
 * piece of text. Refuses invalid XML, and declared entities instead of expanding them.
 */
export async function* readXmlDocuments<Handler extends XmlHandler>(
  texts: AsyncIterable<string>,
  format: XmlFormat,
  newHandler: () => Handler,
): AsyncGenerator<Handler> {
  const begin = () => {
    const handler = newHandler()
    return { handler, document: new XmlDocument(format, handler) }
  }
  let current: ReturnType<typeof begin> | undefined
  let documents = 0
  for await (const piece of texts) {
    let text: string | undefined = piece
    while (text) {
      // Skip whitespace between two documents.
      if (!current && (text = text.replace(/^[\s\ufeff]+/, '')) === '') break
      current ??= begin()
      text = current.document.write(text)
      yield current.handler
      if (text === undefined) continue
      current = undefined
      documents += 1
      if (documents > format.limits.documents) throw format.refuse.tooManyDocuments()
    }
  }
  if (documents === 0 || current?.document.hasBegun) (current ?? begin()).document.close()
}

/** One document, which is read in chunks. */
class XmlDocument {
  private readonly parser = new SaxesParser()
  private depth = 0
  private isOver = false
  /** Characters read since the last event. */
  private sinceEvent = 0

  constructor(
    private readonly format: XmlFormat,
    handler: XmlHandler,
  ) {
    const { limits, refuse } = format
    this.parser.on('opentag', (tag) => {
      this.sinceEvent = 0
      this.depth += 1
      if (this.depth > limits.depth) throw refuse.tooDeep()
      handler.open(tag, this.depth)
    })
    this.parser.on('closetag', ({ name }) => {
      this.sinceEvent = 0
      handler.close(name, this.depth)
      this.depth -= 1
      this.isOver = this.depth === 0
    })
    this.parser.on('text', (text) => {
      this.sinceEvent = 0
      handler.text(text)
    })
    if (handler.cdata)
      this.parser.on('cdata', (text) => {
        this.sinceEvent = 0
        handler.cdata?.(text)
      })
    this.parser.on('error', ({ message }) => {
      throw refuse.invalid(message)
    })
  }

  /** Whether an element has started. Comments may come before it, also after the last document. */
  get hasBegun(): boolean {
    return this.depth > 0
  }

  /** Returns the text after the end of the document; undefined until then. */
  write(text: string): string | undefined {
    // Tag by tag, because the text after the last one is another document.
    for (let start = 0; start < text.length;) {
      const end = text.indexOf('>', start) + 1 || text.length
      this.sinceEvent += end - start
      if (this.sinceEvent > this.format.limits.charactersAtOnce) throw this.format.refuse.tooLong()
      this.parser.write(text.slice(start, end))
      start = end
      if (this.isOver) return text.slice(start)
    }
    return undefined
  }

  /** The text has ended, which is an error unless the document has. */
  close(): void {
    this.parser.close()
  }
}
