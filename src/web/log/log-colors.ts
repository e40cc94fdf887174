/** Red, green and blue, from 0 to 255. */
export type Rgb = readonly [number, number, number]

/** The grounds of a log in the light and in the dark theme, as in `log-view.module.css`. */
const GROUNDS: readonly [Rgb, Rgb] = [
  [252, 252, 253],
  [13, 16, 20],
]
/** Least contrast of a text with what is behind it (WCAG 2.2, 1.4.3). */
const LEAST_CONTRAST = 4.5
/** Steps from a color to black or white. */
const STEPS = 20
const BLACK: Rgb = [0, 0, 0]
const WHITE: Rgb = [255, 255, 255]

/** The 16 named colors as terminals show them, for a text on a color of its own. */
const NAMED: Record<string, Rgb> = {
  black: [0, 0, 0],
  red: [205, 0, 0],
  green: [0, 205, 0],
  yellow: [205, 205, 0],
  blue: [0, 0, 238],
  magenta: [205, 0, 205],
  cyan: [0, 205, 205],
  white: [229, 229, 229],
  'bright-black': [127, 127, 127],
  'bright-red': [255, 0, 0],
  'bright-green': [0, 255, 0],
  'bright-yellow': [255, 255, 0],
  'bright-blue': [92, 92, 255],
  'bright-magenta': [255, 0, 255],
  'bright-cyan': [0, 255, 255],
  'bright-white': [255, 255, 255],
}

/** A color of the palette of 256, after the 16 named ones: of the cube of 216, or of the 24 greys. */
export function paletteColor(index: number): Rgb {
  if (index >= 232) {
    const level = 8 + (index - 232) * 10
    return [level, level, level]
  }
  const cube = index - 16
  const channel = (value: number) => (value === 0 ? 0 : 55 + value * 40)
  return [channel(Math.floor(cube / 36)), channel(Math.floor(cube / 6) % 6), channel(cube % 6)]
}

/** A color of a text that can be read in both themes, as CSS. */
export function onGround(color: Rgb): string {
  const [light, dark] = GROUNDS.map((ground) => css(readableOn(color, ground)))
  return light === dark ? css(color) : `light-dark(${light}, ${dark})`
}

/** The color of a text on a color of its own, as CSS. `color` is a named color, or undefined without one. */
export function onColor(color: Rgb | string | undefined, background: Rgb): string {
  const known = typeof color === 'string' ? NAMED[color] : color
  const free = contrast(BLACK, background) > contrast(WHITE, background) ? BLACK : WHITE
  return css(readableOn(known ?? free, background))
}

/** The color, or the nearest one towards black or white that can be read on a ground. */
export function readableOn(color: Rgb, ground: Rgb): Rgb {
  const end = contrast(BLACK, ground) > contrast(WHITE, ground) ? BLACK : WHITE
  for (let step = 0; step < STEPS; step++) {
    const mixed = color.map((channel, index) =>
      Math.round(channel + (((end[index] ?? 0) - channel) * step) / STEPS),
    ) as unknown as Rgb
    if (contrast(mixed, ground) >= LEAST_CONTRAST) return mixed
  }
  return end
}

/** The contrast of two colors, from 1 to 21 (WCAG 2.2). */
export function contrast(one: Rgb, other: Rgb): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((channel) => {
    const value = channel / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function css(color: Rgb): string {
  return `rgb(${color.join(', ')})`
}
