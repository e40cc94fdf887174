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
      const before = await readText(file)
      const text = before ?? stringify(initial)
      if (await replace(file, changedText(file, text, change), before)) return
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
  const rewritten = stringify(change.table(table))
  const edited = change.text(text, table)
  return isSame(edited, rewritten) ? edited : rewritten
}

function isSame(edited: string, wanted: string): boolean {
  try {
    return isDeepStrictEqual(parse(edited), parse(wanted))
  } catch {
    return false // the edit has made something else than TOML of it
  }
}

/** Answers false when another program has changed the file from `before` in the meantime. */
async function replace(file: string, text: string, before: string | undefined): Promise<boolean> {
  const target = await targetOf(file)
  const lastLook = async (temporary: string) => {
    await keepOwner(target, temporary)
    return (await readText(file)) === before
  }
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    return await replaceFile(target, text, { flush: true, lastLook })
  } catch (error) {
    throw new SettingsError(file, [`cannot be written: ${messageOf(error)}`], { cause: error })
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

async function readText(file: string): Promise<string | undefined> {
  try {
    return await readIfThere(file)
  } catch (error) {
    throw new SettingsError(file, [`cannot be read: ${messageOf(error)}`], { cause: error })
  }
}
