/**
 * Section markers of a job log (runner protocol, 4.4). Without a newline: the next text follows on the same line.
 */
export function sectionStart(name: string, now: Date): string {
  return marker('section_start', name, now)
}

export function sectionEnd(name: string, now: Date): string {
  return marker('section_end', name, now)
}

function marker(kind: string, name: string, now: Date): string {
  return `${kind}:${Math.floor(now.getTime() / 1000)}:${name}\r\x1b[0K`
}
