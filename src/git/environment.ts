/**
 * What every git process gets: no configuration but the repository's own and ours, no prompt, no hook, no protocol
 * that could run a program. `settings` are `-c` options passed by environment, where other users cannot read them.
 */
export function gitEnvironment(settings: Record<string, string> = {}): Record<string, string> {
  const all = { ...SAFE_SETTINGS, ...settings }
  const environment: Record<string, string> = {
    PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin',
    HOME: '/nonexistent',
    LC_ALL: 'C.UTF-8',
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_TERMINAL_PROMPT: '0',
    GIT_CONFIG_COUNT: String(Object.keys(all).length),
  }
  Object.entries(all).forEach(([key, value], index) => {
    environment[`GIT_CONFIG_KEY_${index}`] = key
    environment[`GIT_CONFIG_VALUE_${index}`] = value
  })
  return environment
}

const SAFE_SETTINGS = {
  'core.hooksPath': '/dev/null',
  'core.fsmonitor': 'false',
  'protocol.allow': 'never',
  'protocol.http.allow': 'always',
  'protocol.https.allow': 'always',
  'safe.directory': '*',
  'gc.auto': '0',
  // Else a fetch starts a process that finds out that there is nothing to do.
  'maintenance.auto': 'false',
}
