import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'

import { readIfThere, replaceFile } from '../../lib/files.js'
import { PauseFileError } from './errors.js'

/** Which registrations are paused: all of them, or those with these names. */
export interface Paused {
  everything: boolean
  names: string[]
}

/** Stores what is paused in a file, so that a restart does not resume it. */
export class PauseState {
  private constructor(
    private readonly file: string,
    private paused: Paused,
  ) {}

  static async open(file: string): Promise<PauseState> {
    return new PauseState(file, await read(file))
  }

  /** An arrow function, because it is passed on without its object. */
  readonly isPaused = (name: string): boolean => this.paused.everything || this.paused.names.includes(name)

  get isEverythingPaused(): boolean {
    return this.paused.everything
  }

  /** Without a name, pauses all registrations, including those that are added to the settings later. */
  async pause(name?: string): Promise<void> {
    if (name === undefined) await this.write({ ...this.paused, everything: true })
    else await this.write({ ...this.paused, names: [...new Set([...this.paused.names, name])] })
  }

  /** Without a name, resumes all registrations. */
  async resume(name?: string): Promise<void> {
    if (name === undefined) await this.write({ everything: false, names: [] })
    else await this.write({ ...this.paused, names: this.paused.names.filter((other) => other !== name) })
  }

  private async write(paused: Paused): Promise<void> {
    await mkdir(dirname(this.file), { recursive: true, mode: 0o700 })
    await replaceFile(this.file, JSON.stringify(paused))
    this.paused = paused
  }
}

async function read(file: string): Promise<Paused> {
  const text = await readIfThere(file)
  if (text === undefined) return { everything: false, names: [] }
  const paused = parse(file, text)
  if (!isPaused(paused)) throw new PauseFileError(file)
  return paused
}

function parse(file: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new PauseFileError(file, { cause: error })
  }
}

function isPaused(value: unknown): value is Paused {
  return (
    typeof value === 'object' &&
    value !== null &&
    'everything' in value &&
    typeof value.everything === 'boolean' &&
    'names' in value &&
    Array.isArray(value.names) &&
    value.names.every((name) => typeof name === 'string')
  )
}
