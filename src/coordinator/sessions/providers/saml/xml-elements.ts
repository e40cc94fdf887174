import { SaxesParser } from 'saxes'

/** Namespaces of SAML 2.0 and of what it contains. */
export const NAMESPACES = {
  assertion: 'urn:oasis:names:tc:SAML:2.0:assertion',
  protocol: 'urn:oasis:names:tc:SAML:2.0:protocol',
  metadata: 'urn:oasis:names:tc:SAML:2.0:metadata',
  signature: 'http://www.w3.org/2000/09/xmldsig#',
  encryption: 'http://www.w3.org/2001/04/xmlenc#',
} as const

export type Namespace = keyof typeof NAMESPACES

export interface XmlElement {
  /** Without its prefix. */
  name: string
  namespace: string
  /** Those without a namespace. */
  attributes: ReadonlyMap<string, string>
  children: XmlElement[]
  /** The text directly inside the element, as a whole: comments do not divide it. */
  text: string
}

/** Elements inside one another. */
const MAX_DEPTH = 40

/**
 * Reads an XML document. Throws for a document type (so there are no entities to expand), a processing instruction, and
 * what is not well-formed.
 */
export function readXml(xml: string): XmlElement {
  const parser = new SaxesParser({ xmlns: true })
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  parser.on('error', (error) => {
    throw error
  })
  parser.on('doctype', () => refuse('a document type'))
  parser.on('processinginstruction', () => refuse('a processing instruction'))
  parser.on('opentag', ({ local, uri, attributes }) => {
    const plain = Object.values(attributes).filter(
      ({ prefix, local: name }) => prefix === '' && name !== 'xmlns',
    )
    const element: XmlElement = {
      name: local,
      namespace: uri,
      attributes: new Map(plain.map(({ local: name, value }) => [name, value])),
      children: [],
      text: '',
    }
    open.at(-1)?.children.push(element)
    root ??= element
    if (open.push(element) > MAX_DEPTH) refuse(`more than ${MAX_DEPTH} elements inside one another`)
  })
  const addText = (text: string) => {
    const element = open.at(-1)
    if (element) element.text += text
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => void open.pop())
  parser.write(xml).close()
  if (!root) throw new Error('The message is empty')
  return root
}

function refuse(what: string): never {
  throw new Error(`The message contains ${what}`)
}

export function isElement({ name, namespace }: XmlElement, of: Namespace, ...names: string[]): boolean {
  return namespace === NAMESPACES[of] && names.includes(name)
}

export function childrenOf(parent: XmlElement, of: Namespace, name: string): XmlElement[] {
  return parent.children.filter((child) => isElement(child, of, name))
}

/** The only child with this name; undefined without one. Throws if there are several. */
export function childOf(parent: XmlElement, of: Namespace, name: string): XmlElement | undefined {
  const [child, second] = childrenOf(parent, of, name)
  if (second) throw new Error(`${parent.name} has several elements ${name}`)
  return child
}

/** As `childOf`, but throws without one. */
export function neededChild(parent: XmlElement, of: Namespace, name: string): XmlElement {
  const child = childOf(parent, of, name)
  if (!child) throw new Error(`${parent.name} has no element ${name}`)
  return child
}

export function neededAttribute(element: XmlElement, name: string): string {
  const value = element.attributes.get(name)
  if (value === undefined || value === '') throw new Error(`${element.name} has no attribute ${name}`)
  return value
}

/** The time of an attribute, in milliseconds since 1970; undefined without it. */
export function timeOf(element: XmlElement, name: string): number | undefined {
  const value = element.attributes.get(name)
  if (value === undefined) return undefined
  // Times are in UTC (SAML Core 2.0, section 1.3.3).
  const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/.test(value) ? Date.parse(value) : Number.NaN
  if (Number.isNaN(time)) throw new Error(`${name} of ${element.name} is not a time`)
  return time
}

/** The element and all elements inside it. */
export function* everyElement(element: XmlElement): Generator<XmlElement> {
  yield element
  for (const child of element.children) yield* everyElement(child)
}
