/** Git settings by name. A list sets the setting once for each value. */
export type GitSettings = Record<string, string | readonly string[]>

/**
 * The environment of every git process. Git uses only the configuration of the repository and ours, no prompt, no
 * hook, and no protocol that could run a program. It ignores replacement objects and grafts, with which a
 * repository can change the content or the parents of an ID. `settings` are `-c` options, passed in the
 * environment, where other users cannot read them.
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

/** No file can exist here. Git warns about an empty grafts file, but not about a missing one. */
const NO_FILE = '/dev/null/none'

const SAFE_SETTINGS = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  // Git would send the credentials of the first server to any origin to which it redirects.
  'http.followRedirects': 'false',
  'safe.directory': '*',
  'gc.auto': '0',
  // Otherwise a fetch starts an additional process, which finds nothing to do.
  'maintenance.auto': 'false',
}
