import { colord, extend } from 'colord'
import namesPlugin from 'colord/plugins/names'

extend([namesPlugin])

const DARK_TEXT = '#1F1E24'
const LIGHT_TEXT = '#FFFFFF'

/** Sum of red, green and blue from which dark text is easier to read. */
const BRIGHT = 500

/**
 * The color as it is stored: `#rrggbb` and `#rgb` as they are, names of CSS as upper-case `#RRGGBB`. Undefined for
 * anything else (API, G3).
 */
export function storedColor(text: string): string | undefined {
  if (/^#([0-9a-f]{3}|[0-9a-f]{6})$/i.test(text)) return text
  // `transparent` has no place among opaque colors.
  const named = /^[a-z]+$/i.test(text) && text.toLowerCase() !== 'transparent' ? colord(text) : undefined
  return named?.isValid() ? named.toHex().toUpperCase() : undefined
}

/** Color of a text that is readable on the color. */
export function textColorOn(color: string): string {
  const { r, g, b } = colord(color).toRgb()
  return r + g + b > BRIGHT ? DARK_TEXT : LIGHT_TEXT
}
