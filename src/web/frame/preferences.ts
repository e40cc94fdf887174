/** What a reader has chosen on this device. */
interface Preferences {
  theme: 'system' | 'light' | 'dark'
  usesKeys: boolean
}

const KEY = 'switchyard'
const DEFAULTS: Preferences = { theme: 'system', usesKeys: true }

export function readPreferences(): Preferences {
  try {
    return { ...DEFAULTS, ...(JSON.parse(localStorage.getItem(KEY) ?? '{}') as Partial<Preferences>) }
  } catch {
    return DEFAULTS // the browser stores nothing, or something else has written there
  }
}

export function changePreferences(changes: Partial<Preferences>): void {
  const preferences = { ...readPreferences(), ...changes }
  localStorage.setItem(KEY, JSON.stringify(preferences))
  applyPreferences(preferences)
}

/** Sets the theme and the keyboard of the document. */
export function applyPreferences({ theme, usesKeys } = readPreferences()): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  dataset['keys'] = usesKeys ? 'on' : 'off'
}
