export interface UnitOptions {
  /** Name of the service, without `.service`. */
  service: string
  config: string
  /** Undefined: the folder of the service below /var/lib. */
  workingDirectory: string | undefined
  /** Undefined: root. */
  user: string | undefined
  /** The program and its first arguments, as `runner run` is to be appended to. */
  program: readonly string[]
}

/** The name under which the unit of this package is written. */
export const DEFAULT_SERVICE = 'switchyard-runner'

const DEFAULT_FOLDER = '/etc/switchyard-runner'

/**
 * The text of a systemd unit, made of the one that comes with this package: what depends on the place, the user and the
 * name is put in, and all the rest, hardening and the manner of stopping, stays.
 */
export function unitText(template: string, options: UnitOptions): string {
  const { service, config, workingDirectory, user, program } = options
  const command = [...program, 'runner', 'run', '--config', config].map(escaped).join(' ')
  const set: Record<string, string> = {
    ConditionPathExists: plain(config),
    ExecStart: command,
    WorkingDirectory: workingDirectory === undefined ? `%S/${service}` : plain(workingDirectory),
    StateDirectory: service,
    // The second is what iptables locks, for the rule that keeps jobs from metadata addresses.
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
    // systemd gives this folder to the user of the service, and makes it: right for its own place alone.
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

/** In a list: `$` stands for variables, and spaces part. */
function escaped(text: string): string {
  const word = plain(text).replaceAll('$', '$$$$')
  return /[\s"'\\]/.test(word) ? `"${word.replaceAll(/["\\]/g, '\\$&')}"` : word
}

/** `%` begins what systemd fills in. */
function plain(text: string): string {
  return text.replaceAll('%', '%%')
}
