/** What a reader has chosen on this device. */
export interface Preferences {
  theme: 'system' | 'light' | 'dark'
  usesKeys: boolean
  /** Times are shown as "3 m ago", or in full. */
  times: 'relative' | 'full'
  /** Space between the rows of tables. */
  density: 'normal' | 'compact'
  /** Long lines of logs are wrapped. */
  wrapsLogs: boolean
  /** Long lines of files are wrapped. */
  wrapsCode: boolean
  /** Changes of white space alone are left out of diffs. */
  hidesWhitespace: boolean
  /** Size of the text of logs, in pixels. */
  logTextSize: number
  /** Times before the lines of logs. */
  logTimes: 'off' | 'clock' | 'elapsed' | 'delta'
  /** In the log of a failed job, the sections before the one that failed are folded at first. */
  foldsPassedSections: boolean
  /** Width of the log beside the jobs of a pipeline, in percent. */
  logPaneWidth: number
  /** What a pipeline that has failed opens with. */
  failedPipelineTab: 'failures' | 'graph'
  /** Size of the graph of a pipeline: 1 is its own size; or as wide as its box. */
  graphZoom: number | 'fit'
  /** Texts of filters of pipelines, the newest last. */
  pipelineFilters: readonly string[]
}

const KEY = 'switchyard'
const THEME_COOKIE = 'switchyard_theme'
const YEAR_SECONDS = 31_536_000
const DEFAULTS: Preferences = {
  theme: 'system',
  usesKeys: true,
  times: 'relative',
  density: 'normal',
  wrapsLogs: false,
  wrapsCode: false,
  hidesWhitespace: false,
  logTextSize: 12,
  logTimes: 'off',
  foldsPassedSections: true,
  logPaneWidth: 50,
  failedPipelineTab: 'failures',
  graphZoom: 1,
  pipelineFilters: [],
}

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
  // The server sends the next page in this theme, so that it does not flash in another one.
  const age = preferences.theme === 'system' ? 0 : YEAR_SECONDS
  document.cookie = `${THEME_COOKIE}=${preferences.theme}; path=/; max-age=${age}; samesite=lax`
  applyPreferences(preferences)
}

/** Sets the theme, the keyboard, the form of times and the density of the document. */
export function applyPreferences({ theme, usesKeys, times, density } = readPreferences()): void {
  const { dataset } = document.documentElement
  if (theme === 'system') delete dataset['theme']
  else dataset['theme'] = theme
  dataset['keys'] = usesKeys ? 'on' : 'off'
  dataset['times'] = times
  dataset['density'] = density
}
