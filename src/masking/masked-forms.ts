/**
 * Minimum size of a value whose encoded forms are masked, and minimum number of letters and digits of a line that
 * is masked on its own.
 */
const MIN_ENCODED_BYTES = 8
/** A longer value is a file rather than a token. Its encoded form inside longer texts is not masked. */
const MAX_EMBEDDED_BYTES = 4096
/** Line widths of encoders: those of PEM files, of mails and of `base64`. */
const LINE_WIDTHS = [64, 76]
const PEM_BOUNDARY = /^-----(BEGIN|END) [A-Z0-9 ]+-----$/

/**
 * All texts in a log that would reveal one of the secrets, in addition to what is always masked (runner protocol,
 * 4.6):
 *
 * - the value itself, trimmed, of any length, and with the other kind of line ends;
 * - each line of a multi-line value that has at least 8 letters or digits and is not the frame of a PEM file;
 * - for values of at least 8 bytes, their encoded forms: base64, percent encoding, escapes of JSON and of shells.
 *   The
 *   encoded form of a shorter value could be part of harmless text.
 */
export function maskedForms(secrets: readonly string[]): string[] {
  const values = secrets.map((secret) => secret.trim()).filter((value) => value !== '')
  return [...new Set(values.flatMap(formsOf))]
}

function formsOf(value: string): string[] {
  const parts = [value, ...otherLineEnds(value), ...linesOf(value)]
  return parts.flatMap((part) => [part, ...encodedForms(part)])
}

function otherLineEnds(value: string): string[] {
  if (!value.includes('\n')) return []
  const plain = value.replaceAll('\r\n', '\n')
  return [plain, plain.replaceAll('\n', '\r\n')]
}

function linesOf(value: string): string[] {
  if (!value.includes('\n')) return []
  const lines = value.split('\n').map((line) => line.trim())
  return lines.filter((line) => !PEM_BOUNDARY.test(line) && (line.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 8)
}

/** Tokens consist of characters that nothing but base64 changes. */
const UNESCAPED = /^[\w-]*$/

function encodedForms(value: string): string[] {
  if (Buffer.byteLength(value) < MIN_ENCODED_BYTES) return []
  const base64 = base64Forms(Buffer.from(value))
  return UNESCAPED.test(value) ? base64 : [...base64, ...percentForms(value), ...escapedForms(value)]
}

/** Each form in the standard alphabet and in the URL alphabet. */
function base64Forms(value: Buffer): string[] {
  const whole = encodedAlone(value)
  const forms = value.length > MAX_EMBEDDED_BYTES ? whole : [...whole, ...encodedInside(value)]
  return forms.flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')])
}

/** The value, or the value and a newline, encoded on its own, in one piece or in lines. */
function encodedAlone(value: Buffer): string[] {
  return [value, Buffer.concat([value, Buffer.from('\n')])].flatMap((bytes) => {
    const padded = bytes.toString('base64')
    return [padded, padded.replace(/=+$/, ''), ...LINE_WIDTHS.flatMap((width) => wrapped(padded, width))]
  })
}

/** The last piece may be too short to be masked. */
function wrapped(text: string, width: number): string[] {
  if (text.length <= width) return []
  const pieces: string[] = []
  for (let start = 0; start < text.length; start += width) pieces.push(text.slice(start, start + width))
  return pieces.filter((piece) => piece.length >= MIN_ENCODED_BYTES)
}

/**
 * The characters that depend on the value only, if 0, 1 or 2 bytes of a group of three precede it. The characters
 * at its ends are mixed with the surrounding bytes and reveal at most 4 bits each.
 */
function encodedInside(value: Buffer): string[] {
  return [0, 1, 2].map((before) => {
    const encoded = Buffer.concat([Buffer.alloc(before), value]).toString('base64')
    const first = Math.ceil((before * 8) / 6)
    const end = Math.floor(((before + value.length) * 8) / 6)
    return encoded.slice(first, end)
  })
}

/** In the forms of `encodeURIComponent`, RFC 3986, path encoders and HTML forms, in upper and lower case. */
function percentForms(value: string): string[] {
  const component = encodeURIComponent(Buffer.from(value).toString())
  const strict = component.replace(/[!'()*]/g, percent)
  const form = component.replace(/[!'()~]/g, percent).replaceAll('%20', '+')
  const forms = [component, strict, strict.replaceAll('%2F', '/'), form]
  return forms.flatMap((text) => [text, text.replace(/%[0-9A-F]{2}/g, (escape) => escape.toLowerCase())])
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`
}

/** In a JSON text, with and without non-ASCII characters, and inside single quotes of a shell. */
function escapedForms(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1)
  const ascii = json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return [json, ascii, json.replaceAll('/', '\\/'), value.replaceAll("'", "'\\''")]
}
