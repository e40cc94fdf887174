import { useState } from 'preact/hooks'

import { changePreferences, type Preferences, readPreferences } from './preferences.js'

/** The preferences of the reader on this device, and a function that changes some of them. */
export function usePreferences(): [Preferences, (changes: Partial<Preferences>) => void] {
  const [preferences, setPreferences] = useState(readPreferences)
  const change = (changes: Partial<Preferences>) => {
    changePreferences(changes)
    setPreferences({ ...preferences, ...changes })
  }
  return [preferences, change]
}
