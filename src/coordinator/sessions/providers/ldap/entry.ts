import type { Entry } from 'ldapts'

/** Longest text that is read from an attribute, in characters. */
const MAX_LENGTH = 255

/** The attribute of Active Directory with the permanent ID, which is binary. */
const OBJECT_GUID = 'objectGUID'
const GUID_BYTES = 16
/** The one of RFC 4530. */
const ENTRY_UUID = 'entryuuid'
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Attributes that are binary. Servers return names as their schema writes them, or as they were asked for. */
export const BINARY_ATTRIBUTES = [OBJECT_GUID, OBJECT_GUID.toLowerCase()]

/** An entry of a directory. Names of attributes are compared without case (RFC 4512, section 2.5). */
export class DirectoryEntry {
  private readonly values: ReadonlyMap<string, readonly (string | Buffer)[]>

  constructor(private readonly entry: Entry) {
    this.values = new Map(
      Object.entries(entry)
        .filter(([name]) => name !== 'dn')
        .map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value : [value]]),
    )
  }

  get dn(): string {
    return this.entry.dn
  }

  /** The values of an attribute that are texts. */
  texts(attribute: string): string[] {
    const values = this.values.get(attribute.toLowerCase()) ?? []
    return values.flatMap((value) => (typeof value === 'string' ? [value] : []))
  }

  /** The first value of an attribute; undefined if it is empty, too long or not a text. */
  text(attribute: string): string | undefined {
    const text = this.texts(attribute)[0]?.trim() ?? ''
    return text === '' || text.length > MAX_LENGTH || text.includes('\0') ? undefined : text
  }

  /** The permanent ID; undefined if there is not exactly one. */
  id(attribute: string): string | undefined {
    const values = this.values.get(attribute.toLowerCase()) ?? []
    const [value] = values
    if (values.length !== 1 || value === undefined) return undefined
    if (!isGuid(attribute)) return this.text(attribute)
    return Buffer.isBuffer(value) && value.length === GUID_BYTES ? guidOf(value) : undefined
  }
}

/** The value of a permanent ID in a filter; undefined for a text that is no such ID. */
export function idValue(attribute: string, id: string): string | Buffer | undefined {
  if (isGuid(attribute)) return UUID.test(id) ? bytesOf(id) : undefined
  return attribute.toLowerCase() !== ENTRY_UUID || UUID.test(id) ? id : undefined
}

function isGuid(attribute: string): boolean {
  return attribute.toLowerCase() === OBJECT_GUID.toLowerCase()
}

/** As Microsoft writes it: the first three parts are little-endian (MS-DTYP, section 2.3.4). */
function guidOf(bytes: Buffer): string {
  const parts = [
    Buffer.from(bytes.subarray(0, 4)).reverse(),
    Buffer.from(bytes.subarray(4, 6)).reverse(),
    Buffer.from(bytes.subarray(6, 8)).reverse(),
    bytes.subarray(8, 10),
    bytes.subarray(10),
  ]
  return parts.map((part) => part.toString('hex')).join('-')
}

function bytesOf(guid: string): Buffer {
  const parts = guid.split('-').map((part) => Buffer.from(part, 'hex'))
  return Buffer.concat(parts.map((part, index) => (index < 3 ? part.reverse() : part)))
}
