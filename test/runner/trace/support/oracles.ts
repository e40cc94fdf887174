/**
 * Simple reference implementations of the trace filters. They work on the whole text, in latin1 so that one character
 * is one byte.
 */

/** Masks every occurrence; overlapping occurrences become one mask. */
export function phrasesMasked(text: string, phrases: readonly string[]): string {
  const ranges: [number, number][] = []
  for (let start = 0; start < text.length; start++) {
    for (const phrase of phrases) {
      if (text.startsWith(phrase, start)) ranges.push([start, start + phrase.length])
    }
  }
  let result = ''
  let position = 0
  ranges.sort((a, b) => a[0] - b[0] || b[1] - a[1])
  for (const [start, end] of ranges) {
    if (start >= position) result += `${text.slice(position, start)}[MASKED]`
    position = Math.max(position, end)
  }
  return result + text.slice(position)
}

export function urlsMasked(text: string): string {
  let result = ''
  let position = 0
  let from = 0
  for (;;) {
    const found = text.indexOf('://', from)
    if (found === -1) return result + text.slice(position)
    const start = found + 3
    // oxlint-disable-next-line no-control-regex
    const length = /^[^\x00-\x20\x7f/?#"<>`\\]{0,4096}/.exec(text.slice(start))?.[0].length ?? 0
    const authority = text.slice(start, start + length)
    result += text.slice(position, start) + maskedAuthority(authority)
    position = start + length
    from = authority.endsWith(':') ? position - 1 : position
  }
}

function maskedAuthority(authority: string): string {
  const at = authority.lastIndexOf('@')
  if (at === -1) return authority
  const [userInfo, host] = [authority.slice(0, at), authority.slice(at)]
  const [user, ...password] = userInfo.split(':')
  if (password.length === 0) return userInfo.length >= 20 ? `[MASKED]${host}` : authority
  return password.join(':') === '' ? authority : `${user}:[MASKED]${host}`
}

/** Masks the run of bytes behind each introduction, the introduction that ends first. */
export function runsMasked(
  text: string,
  introductions: readonly string[],
  continues: (byte: number) => boolean,
): string {
  let result = ''
  let from = 0
  let end = 1
  while (end <= text.length) {
    const read = text.slice(from, end)
    if (!introductions.some((introduction) => read.endsWith(introduction))) {
      end++
      continue
    }
    let runEnd = end
    while (runEnd < text.length && continues(text.charCodeAt(runEnd))) runEnd++
    result += runEnd > end ? `${read}[MASKED]` : read
    from = runEnd
    end = from + 1
  }
  return result + text.slice(from)
}

// oxlint-disable-next-line no-control-regex
const MARKERS = /section_(start|end):\d{1,20}:([\w.-]{1,255})(?:\[[\w=,.-]{0,200}\])?\r\x1b\[0K/g

/** `text` is valid UTF-8, one character for each byte. */
export function limited(text: string, limit: number, tailBytes: number): string {
  if (text.length <= limit) return text
  let cut = limit
  while (cut > 0 && isContinuation(text, cut)) cut--
  const tail = tailStart(text, cut, tailBytes)
  return (
    text.slice(0, cut) +
    `\n\x1b[33;1mJob's log exceeded limit of ${limit} bytes.\n` +
    'Job execution will continue but no more output will be collected.\x1b[0;m\n' +
    missingMarkers(text, cut, tail) +
    `\x1b[33;1m${tail - cut} bytes of the log were left out here; its last lines follow.\x1b[0;m\n` +
    text.slice(tail)
  )
}

function tailStart(text: string, cut: number, tailBytes: number): number {
  const start = text.length - tailBytes
  if (start <= cut) return cut
  const newline = text.indexOf('\n', start)
  if (newline !== -1 && newline < start + tailBytes / 2 - 0.5) return newline + 1
  let position = start
  while (position < text.length && isContinuation(text, position)) position++
  return position
}

/** The ends and beginnings in the piece left out that have no counterpart in it. */
function missingMarkers(text: string, cut: number, tail: number): string {
  const shown: string[] = []
  const ends: string[] = []
  const starts: { name: string; marker: string }[] = []
  for (const { 0: marker, 1: kind, 2: name = '', index } of text.matchAll(MARKERS)) {
    if (index >= tail) break
    const isShown = index + marker.length <= cut
    if (kind === 'start') {
      if (isShown) shown.push(name)
      else starts.push({ name, marker })
      continue
    }
    const start = isShown ? -1 : starts.findLastIndex((open) => open.name === name)
    if (start !== -1) starts.splice(start, 1)
    else if (shown.includes(name)) {
      shown.splice(shown.lastIndexOf(name), 1)
      if (!isShown) ends.push(marker)
    }
  }
  return ends.join('') + starts.map(({ marker }) => marker).join('')
}

function isContinuation(text: string, index: number): boolean {
  return (text.charCodeAt(index) & 0xc0) === 0x80
}

export function repaired(bytes: Buffer): Buffer {
  return Buffer.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
}
