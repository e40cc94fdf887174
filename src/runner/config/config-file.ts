import { randomBytes } from 'node:crypto'
import { access, chown, constants, mkdir, open, readFile, realpath, rename, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'

import PQueue from 'p-queue'
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
  return text === undefined ? undefined : parseConfig(file, text)
}

function parseConfig(file: string, text: string): Table {
  try {
    return parse(text)
  } catch (error) {
    throw new SettingsError(file, [`is not valid TOML: ${messageOf(error)}`], { cause: error })
  }
}

/** A change of the file: what it is to say, and how its text comes to say so with its comments kept. */
export interface ConfigChange {
  table: (table: Table) => Table
  /** `table` is what the text says now. */
  text: (text: string, table: Table) => string
}

/** One at a time: each begins with what the one before has written. */
const changes = new PQueue({ concurrency: 1 })

/**
 * Changes the file as a whole or not at all; nobody but its owner can read it. Comments and order stay where the edit
 * of the text gives what was wanted; else the file is written anew, with all its keys and without its comments. A file
 * that is not there begins as `initial`.
 */
export async function changeConfigFile(
  file: string,
  change: ConfigChange,
  initial: Table = {},
): Promise<void> {
  await changes.add(async () => {
    for (;;) {
      const before = await readIfThere(file)
      const text = before ?? stringify(initial)
      if (await replaceFile(file, changedText(file, text, change), before)) return
    }
  })
}

/** Replaces the file by one that says `table`. */
export async function writeConfigFile(file: string, table: Table): Promise<void> {
  await changeConfigFile(file, { table: () => table, text: (text) => text })
}

/** Throws when the file could not be replaced now. */
export async function checkWritable(file: string): Promise<void> {
  try {
    await access(dirname(await targetOf(file)), constants.W_OK)
  } catch (error) {
    throw new SettingsError(file, [`cannot be written: ${messageOf(error)}`], { cause: error })
  }
}

function changedText(file: string, text: string, change: ConfigChange): string {
  const table = parseConfig(file, text)
  const anew = stringify(change.table(table))
  const edited = change.text(text, table)
  return isSame(edited, anew) ? edited : anew
}

function isSame(edited: string, wanted: string): boolean {
  try {
    return isDeepStrictEqual(parse(edited), parse(wanted))
  } catch {
    return false // the edit has made something else than TOML of it
  }
}

/** Answers false when another program has changed the file from `before` in the meantime. */
async function replaceFile(file: string, text: string, before: string | undefined): Promise<boolean> {
  const target = await targetOf(file)
  const folder = dirname(target)
  const temporary = join(folder, `.config-${randomBytes(6).toString('hex')}.tmp`)
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    await writeDurably(temporary, text)
    await keepOwner(target, temporary)
    if ((await readIfThere(file)) === before) {
      await rename(temporary, target)
      return true
    }
    await rm(temporary, { force: true })
    return false
  } catch (error) {
    await rm(temporary, { force: true })
    throw new SettingsError(file, [`cannot be written: ${messageOf(error)}`], { cause: error })
  }
}

async function writeDurably(file: string, text: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600)
  try {
    await handle.writeFile(text)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

/** A command that root runs does not take the file away from the user of the daemon. */
async function keepOwner(target: string, temporary: string): Promise<void> {
  if (process.getuid?.() !== 0) return
  const owner = await stat(target).catch(() => undefined)
  if (owner) await chown(temporary, owner.uid, owner.gid)
}

/** Behind a symbolic link the file it points to is replaced, and the link stays. */
async function targetOf(file: string): Promise<string> {
  try {
    return await realpath(file)
  } catch {
    return resolve(file) // not there yet; anything else is told by the writing
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
