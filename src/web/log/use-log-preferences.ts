import { useState } from 'preact/hooks'

import { changePreferences, readPreferences } from '../frame/preferences.js'

type Preferences = ReturnType<typeof readPreferences>

export type LogPreferences = Pick<
  Preferences,
  'wrapsLogs' | 'logTextSize' | 'logTimes' | 'foldsPassedSections'
>

/** How the reader wants logs on this device, and a function that changes some of it. */
export function useLogPreferences(): [LogPreferences, (changes: Partial<LogPreferences>) => void] {
  const [preferences, setPreferences] = useState<LogPreferences>(readPreferences)
  const change = (changes: Partial<LogPreferences>) => {
    changePreferences(changes)
    setPreferences({ ...preferences, ...changes })
  }
  return [preferences, change]
}
