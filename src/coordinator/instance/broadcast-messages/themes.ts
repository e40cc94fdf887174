interface Colors {
  background: string
  text: string
}

/** Colours of the themes, as `#rrggbb`. Each text has a contrast of at least 7 to 1. */
const THEMES = {
  indigo: { background: '#3b3b92', text: '#ffffff' },
  'light-indigo': { background: '#e4e4f7', text: '#292961' },
  blue: { background: '#17508f', text: '#ffffff' },
  'light-blue': { background: '#dcecfb', text: '#0b3a6b' },
  green: { background: '#155a33', text: '#ffffff' },
  'light-green': { background: '#dcf3e4', text: '#0e4526' },
  red: { background: '#961f16', text: '#ffffff' },
  'light-red': { background: '#fce4e2', text: '#74150e' },
  dark: { background: '#2e2e33', text: '#ffffff' },
  light: { background: '#ececef', text: '#2b2b30' },
} as const satisfies Record<string, Colors>
export type Theme = keyof typeof THEMES

export const THEME_NAMES = Object.keys(THEMES) as [Theme, ...Theme[]]

/** The colours of a message: its own ones in place of those of its theme. */
export function colorsOf({
  theme,
  color,
  font,
}: {
  theme: string
  color: string | null
  font: string | null
}): Colors {
  const { background, text } = THEMES[theme as Theme]
  return { background: color ?? background, text: font ?? text }
}
