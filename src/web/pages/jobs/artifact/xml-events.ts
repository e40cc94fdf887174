/** What an XML text has, in its order. Instructions and comments are left out. */
export type XmlEvent =
  | { kind: 'open'; name: string; attributes: Record<string, string>; isEmpty: boolean }
  | { kind: 'close'; name: string }
  | { kind: 'text'; text: string }

/** No part of it goes over a `<`, so that what is not well formed takes no longer to read. */
const TAG = /<(\/?)([^\s<>/]+)((?:[^<>"']|"[^"<]*"|'[^'<]*')*)>/y
const ATTRIBUTE = /(?:^|\s)([^\s=/"']+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const ENTITIES: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** Parts that end with a text of their own. */
const SPECIAL = [
  { start: '<!--', end: '-->' },
  { start: '<![CDATA[', end: ']]>' },
  { start: '<?', end: '?>' },
  { start: '<!', end: '>' },
]

/** Reads XML of reports without building a tree. What is not well formed is skipped. */
export function* xmlEvents(xml: string): Generator<XmlEvent> {
  let at = 0
  while (at < xml.length) {
    const open = xml.indexOf('<', at)
    const text = xml.slice(at, open < 0 ? undefined : open)
    if (text !== '') yield { kind: 'text', text: unescape(text) }
    if (open < 0) return
    const special = SPECIAL.find(({ start }) => xml.startsWith(start, open))
    if (special) {
      const { start, end } = special
      const close = xml.indexOf(end, open + start.length)
      if (close < 0) return
      if (start === '<![CDATA[') yield { kind: 'text', text: xml.slice(open + start.length, close) }
      at = close + end.length
      continue
    }
    TAG.lastIndex = open
    const tag = TAG.exec(xml)
    at = tag ? TAG.lastIndex : open + 1
    if (tag) yield eventOf(tag)
  }
}

function eventOf([, slash = '', name = '', rest = '']: RegExpExecArray): XmlEvent {
  if (slash !== '') return { kind: 'close', name }
  return { kind: 'open', name, attributes: attributesOf(rest), isEmpty: rest.endsWith('/') }
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {}
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE))
    attributes[name] = unescape(double ?? single ?? '')
  return attributes
}

function unescape(text: string): string {
  return text.replaceAll(/&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(\w+));/gi, (entity, hex, decimal, name) => {
    if (typeof name === 'string') return ENTITIES[name] ?? entity
    const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal)
    return code > 0x10ffff ? entity : String.fromCodePoint(code)
  })
}
