import { readFile, rm, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { Command, Option } from 'commander'

import { PACKAGE_FOLDER } from '../../../lib/package-folder.js'
import { action, CommandError } from './action.js'
import { configOption, textOption } from './options.js'
import { DEFAULT_SERVICE, unitText } from './systemd-unit.js'

interface ServiceOptions {
  service: string
}

interface UnitFileOptions extends ServiceOptions {
  unitDirectory: string
}

interface InstallOptions extends UnitFileOptions {
  config: string
  workingDirectory?: string
  user?: string
}

const TEMPLATE = new URL('systemd/switchyard-runner.service', PACKAGE_FOLDER)
const ENTRY_POINT = fileURLToPath(new URL('dist/cli/main.js', PACKAGE_FOLDER))

/**
 * `install`, `uninstall`, `start`, `stop`, `restart`: call systemctl with the unit of this package (runner
 * protocol, 9.6).
 */
export function serviceCommands(): Command[] {
  return [
    command('install', 'write the unit and start it at boot')
      .addOption(configOption())
      .addOption(unitDirectoryOption())
      .option('-d, --working-directory <folder>', 'working directory of the daemon')
      .addOption(textOption('--user <user>', 'user of the daemon; default: root', 'SWITCHYARD_RUNNER_USER'))
      .action(action(install)),
    command('uninstall', 'stop the service and remove its unit')
      .addOption(unitDirectoryOption())
      .action(action(uninstall)),
    ...(['start', 'stop', 'restart'] as const).map((verb) =>
      command(verb, `${verb} the service`).action(
        action(({ service }: ServiceOptions) => systemctl(verb, service)),
      ),
    ),
  ]
}

async function install(options: InstallOptions): Promise<void> {
  const { service, config, user } = options
  const file = unitFile(options)
  const text = unitText(await readFile(TEMPLATE, 'utf8'), {
    service,
    config: resolve(config),
    workingDirectory: options.workingDirectory === undefined ? undefined : resolve(options.workingDirectory),
    user,
    program: [process.execPath, ENTRY_POINT],
  })
  await systemctl('--version')
  await write(file, text)
  await systemctl('daemon-reload')
  await systemctl('enable', service)
  const name = service === DEFAULT_SERVICE ? '' : ` --service ${service}`
  process.stdout.write(`${file} is written; \`switchyard runner start${name}\` starts it\n`)
}

async function uninstall(options: UnitFileOptions): Promise<void> {
  await systemctl('disable', '--now', options.service)
  await rm(unitFile(options), { force: true })
  await systemctl('daemon-reload')
}

function command(name: string, description: string): Command {
  return new Command(name)
    .description(description)
    .addOption(new Option('-n, --service <name>', 'name of the service').default(DEFAULT_SERVICE))
}

function unitDirectoryOption(): Option {
  return new Option('--unit-directory <folder>', 'folder of the unit files').default('/etc/systemd/system')
}

function unitFile({ service, unitDirectory }: UnitFileOptions): string {
  if (!/^[\w.@-]+$/.test(service)) throw new CommandError([`"${service}" is not a valid service name`])
  return join(unitDirectory, `${service}.service`)
}

async function write(file: string, text: string): Promise<void> {
  try {
    await writeFile(file, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new CommandError([`The unit cannot be written: ${reason}; run this as root`])
  }
}

async function systemctl(...args: string[]): Promise<void> {
  // Loaded on demand, so that the daemon, which is a command of the same program, does not hold it in memory.
  const { execa, ExecaError } = await import('execa')
  try {
    const stdout = args[0] === '--version' ? 'ignore' : 'inherit'
    await execa('systemctl', args, { stdin: 'ignore', stdout, stderr: 'inherit' })
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    throw new CommandError([
      error.code === 'ENOENT'
        ? 'There is no systemctl: this machine does not use systemd. Run the daemon with `switchyard runner run`'
        : `systemctl ${args.join(' ')} failed with exit code ${error.exitCode ?? 'none'}`,
    ])
  }
}
