export interface UnitOptions {
  /** Name of the service, without `.service`. */
  service: string
  config: string
  /** Undefined: the folder of the service below /var/lib. */
  workingDirectory: string | undefined
  /** Undefined: root. */
  user: string | undefined
  /** The program and its first arguments, to which `runner run` is appended. */
  program: readonly string[]
}

/** The name under which the unit of this package is installed. */
export const DEFAULT_SERVICE = 'switchyard-runner'

const DEFAULT_FOLDER = '/etc/switchyard-runner'

/**
 * The text of a systemd unit, based on the one in this package. Paths, user and name are replaced. Everything else,
 * such as hardening and the way of stopping, is kept.
 */
export function unitText(template: string, options: UnitOptions): string {
  const { service, config, workingDirectory, user, program } = options
  const command = [...program, 'runner', 'run', '--config', config].map(escaped).join(' ')
  const set: Record<string, string> = {
    ConditionPathExists: plain(config),
    ExecStart: command,
    WorkingDirectory: workingDirectory === undefined ? `%S/${service}` : plain(workingDirectory),
    StateDirectory: service,
    // The second path is the lock of iptables, for the rule that blocks metadata addresses.
    ReadWritePaths: `${escaped(folderOf(config))} -/run/xtables.lock`,
    EnvironmentFile: `-/etc/${service}/runner.env`,
  }
  const own = [
    ...(user === undefined ? [] : [`User=${user}`]),
    ...(service === DEFAULT_SERVICE && user === undefined
      ? []
      : [`Environment=SWITCHYARD_RUNNER_DATA_DIR=%S/${service}`]),
  ]
  const lines = template.split('\n').flatMap((line) => {
    const key = /^([A-Za-z]+)=/.exec(line)?.[1]
    // systemd creates this folder and makes the user of the service its owner, which is right only for the default
    // location.
    if (key?.startsWith('ConfigurationDirectory') && folderOf(config) !== DEFAULT_FOLDER) return []
    const value = key === undefined ? undefined : set[key]
    const written = value === undefined ? line : `${key}=${value}`
    return line === '[Service]' ? [written, ...own] : [written]
  })
  return lines.join('\n')
}

function folderOf(file: string): string {
  return file.slice(0, file.lastIndexOf('/')) || '/'
}

/** Escapes a list element: `$` introduces variables, and spaces separate elements. */
function escaped(text: string): string {
  const word = plain(text).replaceAll('$', '$$$$')
  return /[\s"'\\]/.test(word) ? `"${word.replaceAll(/["\\]/g, '\\$&')}"` : word
}

/** Escapes `%`, which introduces systemd's specifiers. */
function plain(text: string): string {
  return text.replaceAll('%', '%%')
}
