import { SaxesParser } from 'saxes'

/**
 * The elements `name` of an XML document: for each, the texts of the elements directly inside it, by name. The largest
 * documents of S3 list 1,000 objects.
 */
export function elementsOf(xml: string, name: string): Record<string, string>[] {
  const found: Record<string, string>[] = []
  let element: Record<string, string> | undefined
  let depth = 0
  let text = ''
  const parser = new SaxesParser()
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name: opened }) => {
    text = ''
    if (element) depth++
    else if (opened === name) element = {}
  })
  parser.on('text', (piece) => {
    text += piece
  })
  parser.on('closetag', ({ name: closed }) => {
    if (!element) return
    if (depth === 1) element[closed] = text
    if (depth > 0) depth--
    else {
      found.push(element)
      element = undefined
    }
  })
  parser.write(xml).close()
  return found
}

/** Reads the first element `name`. Does not parse the rest of the XML. */
export function xmlValue(xml: string, name: string): string | undefined {
  const value = new RegExp(`<${name}>([^<]*)</${name}>`).exec(xml)?.[1]
  return value
    ?.replaceAll('&quot;', '"')
    .replaceAll('&#34;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}

export function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
