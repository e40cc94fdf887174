/** Sequences that select colors and other styles of text. */
// oxlint-disable-next-line no-control-regex
const STYLES = /\x1b\[([\d;:]*)m/g

/** Codes that set a style, by what they replace. Ranges of colors are added below. */
const GROUPS = new Map([
  ['1', 'bold'],
  ['2', 'faint'],
  ['3', 'italic'],
  ['4', 'underline'],
  ['5', 'blink'],
  ['6', 'blink'],
  ['7', 'inverse'],
  ['8', 'hidden'],
  ['9', 'strike'],
  ['21', 'underline'],
  ['38', 'color'],
  ['48', 'background'],
  ['53', 'overline'],
  ['58', 'underline-color'],
])
for (let color = 0; color < 8; color++) {
  for (const tens of [30, 90]) GROUPS.set(String(tens + color), 'color')
  for (const tens of [40, 100]) GROUPS.set(String(tens + color), 'background')
}

const ENDS = new Map([
  ['22', ['bold', 'faint']],
  ['23', ['italic']],
  ['24', ['underline']],
  ['25', ['blink']],
  ['27', ['inverse']],
  ['28', ['hidden']],
  ['29', ['strike']],
  ['39', ['color']],
  ['49', ['background']],
  ['55', ['overline']],
  ['59', ['underline-color']],
])

/**
 * The style that is in force after a text, as parameters of a control sequence: `1;31` is bold and red. Empty without
 * a style. `before` is the style at the beginning of the text.
 */
export function styleAfter(text: string, before = ''): string {
  const styles = new Map<string, string>()
  if (before !== '') apply(styles, before)
  for (const [, parameters = ''] of text.matchAll(STYLES)) apply(styles, parameters)
  return [...styles.values()].join(';')
}

function apply(styles: Map<string, string>, parameters: string): void {
  const codes = parameters.split(';')
  for (let at = 0; at < codes.length; at++) {
    const code = codes[at] ?? ''
    // A color of the palette (38;5;n) or of three parts (38;2;r;g;b).
    const length = /^[345]8$/.test(code) ? COLOR_LENGTHS[codes[at + 1] ?? ''] : 1
    if (length === undefined) return
    set(styles, code, codes.slice(at, at + length).join(';'))
    at += length - 1
  }
}

const COLOR_LENGTHS: Record<string, number> = { '5': 3, '2': 5 }

function set(styles: Map<string, string>, code: string, value: string): void {
  // With colons, the parts of one parameter: `4:3` is a wavy underline.
  const base = code.split(':', 1)[0] ?? ''
  if (/^0*$/.test(base)) styles.clear()
  else if (code === '4:0') styles.delete('underline')
  for (const group of ENDS.get(base) ?? []) styles.delete(group)
  const group = GROUPS.get(base)
  if (group === undefined || code === '4:0') return
  styles.delete(group)
  styles.set(group, value)
}
