import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'

import { parse, stringify } from 'smol-toml'

import { messageOf } from '../../lib/errors.js'
import { SettingsError } from '../errors.js'
import { isTable, type Table } from './table-reader.js'

/**
 * Our own default place, so that a reference runner on the same machine keeps its file to itself; a file of that
 * runner is used by naming it with `--config` or `CONFIG_FILE`.
 */
export function defaultConfigFile(isRoot = process.getuid?.() === 0): string {
  return isRoot ? '/etc/switchyard-runner/config.toml' : join(homedir(), '.switchyard-runner', 'config.toml')
}

/** Where jobs are worked on when the file does not say (`data_dir`). */
export function defaultDataDir(isRoot = process.getuid?.() === 0): string {
  return isRoot ? '/var/lib/switchyard-runner' : join(homedir(), '.switchyard-runner', 'data')
}

/** The file as a table with all its keys, known or not; undefined when there is no file. */
export async function readConfigFile(file: string): Promise<Table | undefined> {
  const text = await readIfThere(file)
  if (text === undefined) return undefined
  try {
    return parse(text)
  } catch (error) {
    throw new SettingsError(file, [`is not valid TOML: ${messageOf(error)}`], { cause: error })
  }
}

/** Replaces the file as a whole or not at all; nobody but its owner can read it. */
export async function writeConfigFile(file: string, table: Table): Promise<void> {
  const folder = dirname(resolve(file))
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const temporary = join(folder, `.config-${randomBytes(6).toString('hex')}.tmp`)
  try {
    const handle = await open(temporary, 'wx', 0o600)
    try {
      await handle.writeFile(stringify(table))
      await handle.sync()
    } finally {
      await handle.close()
    }
    await rename(temporary, file)
  } catch (error) {
    await rm(temporary, { force: true })
    throw new SettingsError(file, [`cannot be written: ${messageOf(error)}`], { cause: error })
  }
}

/** The `[[runners]]` tables, as they stand in the file. */
export function entriesOf(table: Table): Table[] {
  const runners = table['runners']
  return Array.isArray(runners) ? runners.filter(isTable) : []
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new SettingsError(file, [`cannot be read: ${messageOf(error)}`], { cause: error })
  }
}
