/** What characters that cannot be seen do: turn the direction of what follows, take no room, or control a terminal. */
export type HiddenKind = 'direction' | 'invisible' | 'control'

interface HiddenRange {
  first: number
  last: number
  kind: HiddenKind
  /** That of the characters in Unicode, in lower case; each has its own if there are several. */
  names: string | readonly string[]
}

const range = (first: number, last: number, kind: HiddenKind, names: HiddenRange['names']): HiddenRange => ({
  first,
  last,
  kind,
  names,
})

/**
 * Characters that code contains and readers do not see. Some of them let a line of code do something else than it seems
 * to (CVE-2021-42574), others hide text or make two names look the same. Line ends and tabs are not among them.
 */
export const HIDDEN_RANGES: readonly HiddenRange[] = [
  range(0x00, 0x08, 'control', 'control character'),
  range(0x0b, 0x0c, 'control', 'control character'),
  range(0x0e, 0x1f, 'control', 'control character'),
  range(0x7f, 0x9f, 'control', 'control character'),
  range(0xad, 0xad, 'invisible', 'soft hyphen'),
  range(0x34f, 0x34f, 'invisible', 'combining grapheme joiner'),
  range(0x61c, 0x61c, 'direction', 'arabic letter mark'),
  range(0x115f, 0x1160, 'invisible', 'hangul filler'),
  range(0x17b4, 0x17b5, 'invisible', 'khmer inherent vowel'),
  range(0x180b, 0x180f, 'invisible', 'mongolian separator'),
  range(0x200b, 0x200d, 'invisible', ['zero width space', 'zero width non-joiner', 'zero width joiner']),
  range(0x200e, 0x200f, 'direction', ['left-to-right mark', 'right-to-left mark']),
  range(0x2028, 0x2029, 'invisible', ['line separator', 'paragraph separator']),
  range(0x202a, 0x202e, 'direction', [
    'left-to-right embedding',
    'right-to-left embedding',
    'pop directional formatting',
    'left-to-right override',
    'right-to-left override',
  ]),
  range(0x2060, 0x2065, 'invisible', 'invisible operator'),
  range(0x2066, 0x2069, 'direction', [
    'left-to-right isolate',
    'right-to-left isolate',
    'first strong isolate',
    'pop directional isolate',
  ]),
  range(0x206a, 0x206f, 'invisible', 'deprecated format character'),
  range(0x3164, 0x3164, 'invisible', 'hangul filler'),
  range(0xfe00, 0xfe0f, 'invisible', 'variation selector'),
  range(0xfeff, 0xfeff, 'invisible', 'zero width no-break space'),
  range(0xffa0, 0xffa0, 'invisible', 'halfwidth hangul filler'),
  range(0xfff9, 0xfffb, 'invisible', 'interlinear annotation'),
  range(0x1bca0, 0x1bca3, 'invisible', 'shorthand format control'),
  range(0x1d173, 0x1d17a, 'invisible', 'musical format control'),
  range(0xe0000, 0xe007f, 'invisible', 'tag character'),
  range(0xe0100, 0xe01ef, 'invisible', 'variation selector'),
]

/** Matches each character of the ranges, by their numbers: as text, they could not be read here either. */
export function rangesPattern(): RegExp {
  const parts = HIDDEN_RANGES.map(({ first, last }) => `\\u{${first.toString(16)}}-\\u{${last.toString(16)}}`)
  return new RegExp(`[${parts.join('')}]`, 'gu')
}
