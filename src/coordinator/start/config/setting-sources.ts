import { SwitchyardError } from '../../../lib/errors.js'
import { isRecord } from '../../../lib/is-record.js'

/** Lists all invalid settings. */
export class SettingsError extends SwitchyardError {
  readonly name = 'SettingsError'
  readonly code = 'INVALID_SETTINGS'

  constructor(readonly problems: string[]) {
    super(`The settings are not valid:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
  }
}

/** Parses a raw value, or throws an `Error` whose message describes valid values. */
export type ReadSetting<T> = (raw: unknown) => T

export interface RawSettings {
  /** Settings by name, such as `lease.seconds`; undefined = not set. */
  flags: Record<string, string | undefined>
  environment: Record<string, string | undefined>
  /** The parsed file. */
  file: Record<string, unknown>
}

/** The sources of settings: flags take precedence over the environment, and the environment over the file. */
export class SettingSources {
  private readonly problems: string[] = []
  private readonly known = new Set<string>()

  constructor(private readonly raw: RawSettings) {}

  /** Whether a source contains the setting, valid or not. */
  has(name: string): boolean {
    return this.sourcesOf(name).some(({ value }) => value !== undefined)
  }

  /** The names of the tables in a table of the file, such as those of `storage`. */
  tablesIn(name: string): string[] {
    const table = valueAt(this.raw.file, name)
    return isTable(table) ? Object.keys(table).filter((key) => isTable(table[key])) : []
  }

  /** The entries of a table of the file whose keys are not names of settings. */
  entriesOf(name: string): [key: string, value: unknown][] {
    const table = valueAt(this.raw.file, name)
    if (!isTable(table)) return []
    for (const entry of namesIn(table, `${name}.`)) this.known.add(entry)
    return Object.entries(table)
  }

  /** Adds a problem that concerns several settings. */
  refuse(problem: string): void {
    this.problems.push(problem)
  }

  /** The first source that contains the setting is used, even if its value is invalid. */
  read<T, F>(name: string, read: ReadSetting<T>, fallback: F): T | F {
    this.known.add(name)
    const given = this.sourcesOf(name).find(({ value }) => value !== undefined)
    if (!given) return fallback
    try {
      return read(given.value)
    } catch (error) {
      this.problems.push(`${given.source}: ${error instanceof Error ? error.message : String(error)}`)
      return fallback
    }
  }

  private sourcesOf(name: string): { source: string; value: unknown }[] {
    const variable = environmentName(name)
    return [
      { source: `--${name.replaceAll(/[._]/g, '-')}`, value: this.raw.flags[name] },
      { source: variable, value: emptyIsNothing(this.raw.environment[variable]) },
      { source: `${name} in the settings file`, value: valueAt(this.raw.file, name) },
    ]
  }

  /** Throws `SettingsError` for invalid values, and for unknown settings in the file. */
  finish(): void {
    for (const name of namesIn(this.raw.file)) {
      if (!this.known.has(name)) this.problems.push(`${name} in the settings file: unknown setting`)
    }
    if (this.problems.length > 0) throw new SettingsError(this.problems)
  }
}

/** `lease.seconds` is `SWITCHYARD_LEASE_SECONDS`. */
function environmentName(name: string): string {
  return `SWITCHYARD_${name.replaceAll('.', '_').toUpperCase()}`
}

function emptyIsNothing(value: string | undefined): string | undefined {
  return value === '' ? undefined : value
}

function valueAt(file: Record<string, unknown>, name: string): unknown {
  return name.split('.').reduce<unknown>((table, key) => (isTable(table) ? table[key] : undefined), file)
}

function namesIn(table: Record<string, unknown>, parent = ''): string[] {
  return Object.entries(table).flatMap(([key, value]) =>
    isTable(value) ? namesIn(value, `${parent}${key}.`) : [`${parent}${key}`],
  )
}

function isTable(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && !(value instanceof Date)
}
