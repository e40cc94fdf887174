/** Git settings by name; a list is the setting given once for each value. */
export type GitSettings = Record<string, string | readonly string[]>

/**
 * What every git process gets: no configuration but the repository's own and ours, no prompt, no hook, no protocol
 * that could run a program, and objects read as they are: replacement objects and grafts, with which a repository can
 * give an id another content or other parents, are ignored. `settings` are `-c` options passed by environment, where
 * other users cannot read them.
 */
export function gitEnvironment(settings: GitSettings = {}): Record<string, string> {
  const all = Object.entries({ ...SAFE_SETTINGS, ...settings }).flatMap(([key, value]) =>
    (typeof value === 'string' ? [value] : value).map((each) => [key, each] as const),
  )
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_NO_REPLACE_OBJECTS: '1',
    GIT_GRAFT_FILE: NO_FILE,
    GIT_CONFIG_COUNT: String(all.length),
  }
  all.forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  })
  return environment
}

/** No file can exist here. Git warns about an empty file of grafts, but not about one that does not exist. */
const NO_FILE = '/dev/null/none'

const SAFE_SETTINGS = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  // Git sends the credentials of the first server to the one that it is redirected to, whatever the origin.
  'http.followRedirects': 'false',
  'safe.directory': '*',
  'gc.auto': '0',
  // Else a fetch starts a process that finds out that there is nothing to do.
  'maintenance.auto': 'false',
}
