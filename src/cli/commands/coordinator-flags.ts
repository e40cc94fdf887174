import { Option } from 'commander'

/** Flags by the name of their setting. A flag takes precedence over environment and file. */
const FLAGS: [flag: string, setting: string, description: string][] = [
  ['--listen <address>', 'listen', 'address and port to listen on (default 127.0.0.1:8929)'],
  ['--external-url <url>', 'external_url', 'external address, used in clone URLs, links and jobs'],
  [
    '--data-dir <folder>',
    'data_dir',
    'folder for repositories, logs and artifacts (default ./switchyard-data)',
  ],
  ['--database-url <url>', 'database_url', 'postgres://… (default: SQLite in the data folder)'],
  ['--config <file>', 'config', 'settings file, TOML (default: coordinator.toml in the data folder)'],
  ['--log-level <level>', 'log_level', 'trace, debug, info, warn, error, fatal or silent'],
]

/** The options for the named settings, or for all. */
export function settingOptions(settings: readonly string[] = FLAGS.map(([, setting]) => setting)): Option[] {
  return FLAGS.filter(([, setting]) => settings.includes(setting)).map(
    ([flag, , description]) => new Option(flag, description),
  )
}

/** Commander converts option names to camel case: `dataDir` for `data_dir`. */
export function bySetting(options: Record<string, string | undefined>): Record<string, string | undefined> {
  return Object.fromEntries(
    FLAGS.map(([, setting]) => [
      setting,
      options[setting.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())],
    ]),
  )
}
