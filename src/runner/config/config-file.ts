import { access, chown, constants, mkdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import PQueue from 'p-queue'
import { parse, stringify } from 'smol-toml'

import { messageOf } from '../../lib/errors.js'
import { readIfThere, replaceFile } from '../../lib/files.js'
import { SettingsError } from '../client/errors.js'
import { isTable, type Table } from './table-reader.js'

/**
 * The default settings file. It differs from that of the reference runner, so that both can run on one machine. A
 * file of the reference runner is used if `--config` or `CONFIG_FILE` names it.
 */
export function defaultConfigFile(isRoot = process.getuid?.() === 0): string {
  return isRoot ? '/etc/switchyard-runner/config.toml' : join(homedir(), '.switchyard-runner', 'config.toml')
}

/** The default of `data_dir`, in which jobs run. */
export function defaultDataDir(isRoot = process.getuid?.() === 0): string {
  return isRoot ? '/var/lib/switchyard-runner' : join(homedir(), '.switchyard-runner', 'data')
}

/** The file as a table with all keys, known or not. Undefined if there is no file. */
export async function readConfigFile(file: string): Promise<Table | undefined> {
  const text = await readText(file)
  return text === undefined ? undefined : parseConfig(file, text)
}

function parseConfig(file: string, text: string): Table {
  try {
    return parse(text)
  } catch (error) {
    throw new SettingsError(file, [`is not valid TOML: ${messageOf(error)}`], { cause: error })
  }
}

/** A change of the file: the wanted content, and the edit of the text that keeps comments. */
export interface ConfigChange {
  table: (table: Table) => Table
  /** `table` is the parsed content of the text. */
  text: (text: string, table: Table) => string
}

/** Changes run one at a time. Each starts from the result of the previous one. */
const changes = new PQueue({ concurrency: 1 })

/**
 * Changes the file atomically and keeps it readable for its owner only. Comments and order are kept if the edited
 * text parses to the wanted table. Otherwise the file is rewritten with all keys and without comments. A file that
 * does not exist starts as `initial`.
 */
export async function changeConfigFile(
  file: string,
  change: ConfigChange,
  initial: Table = {},
): Promise<void> {
  await changes.add(async () => {
    for (;;) {
      const before = await readText(file)
      const text = before ?? stringify(initial)
      if (await replace(file, changedText(file, text, change), before)) return
    }
  })
}

/** Replaces the content of the file by `table`. */
export async function writeConfigFile(file: string, table: Table): Promise<void> {
  await changeConfigFile(file, { table: () => table, text: (text) => text })
}

/** Throws if the file cannot be replaced now. */
export async function checkWritable(file: string): Promise<void> {
  try {
    await access(dirname(await targetOf(file)), constants.W_OK)
  } catch (error) {
    throw new SettingsError(file, [`cannot be written: ${messageOf(error)}`], { cause: error })
  }
}

function changedText(file: string, text: string, change: ConfigChange): string {
  const table = parseConfig(file, text)
  const rewritten = stringify(change.table(table))
  const edited = change.text(text, table)
  return isSame(edited, rewritten) ? edited : rewritten
}

function isSame(edited: string, wanted: string): boolean {
  try {
    return isDeepStrictEqual(parse(edited), parse(wanted))
  } catch {
    return false // the edited text is not valid TOML
  }
}

/** Returns false if another program has changed the file since `before` was read. */
async function replace(file: string, text: string, before: string | undefined): Promise<boolean> {
  const target = await targetOf(file)
  const lastLook = async (temporary: string) => {
    await preserveOwner(target, temporary)
    return (await readText(file)) === before
  }
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    return await replaceFile(target, text, { flush: true, lastLook })
  } catch (error) {
    throw new SettingsError(file, [`cannot be written: ${messageOf(error)}`], { cause: error })
  }
}

/** Keeps the owner, so that a command of root does not lock out the user of the daemon. */
async function preserveOwner(target: string, temporary: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const owner = await stat(target).catch(() => undefined)
  if (owner) await chown(temporary, owner.uid, owner.gid)
}

/** Resolves a symbolic link, so that its target is replaced and the link stays. */
async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return resolve(file) // the file does not exist yet; the write reports other errors
  }
}

/** The `[[runners]]` tables as written in the file. */
export function entriesOf(table: Table): Table[] {
  const runners = table['runners']
  return Array.isArray(runners) ? runners.filter(isTable) : []
}

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readIfThere(file)
  } catch (error) {
    throw new SettingsError(file, [`cannot be read: ${messageOf(error)}`], { cause: error })
  }
}
