import type Docker from 'dockerode'

import { engineFailure, statusOf } from '../engine.js'
import { askLibpod } from './ask-libpod.js'
import { capabilitiesOf, type EngineCapabilities, type EngineResponses } from './capabilities.js'

/** Asks the engine what it can do. Throws an `ExecutorError` if it does not respond. */
export async function readCapabilities(docker: Docker): Promise<EngineCapabilities> {
  try {
    const asking = docker.info() as Promise<EngineResponses['info']>
    const [version, info, libpod] = await Promise.all([docker.version(), asking, askPodman(docker)])
    return capabilitiesOf({ version, info, libpod })
  } catch (error) {
    throw engineFailure(error, 'reporting what it can do')
  }
}

/** Undefined if the engine refuses the question, as every engine but Podman does. */
async function askPodman(docker: Docker): Promise<EngineResponses['libpod']> {
  try {
    return (await askLibpod(docker, '/info')) as EngineResponses['libpod']
  } catch (error) {
    if (statusOf(error) === undefined) throw error
    return undefined
  }
}

/** The capabilities of an engine, which are read once. */
export class KnownCapabilities {
  private reading: Promise<EngineCapabilities> | undefined

  constructor(private readonly docker: Docker) {}

  /** Throws an `ExecutorError` if the engine does not respond. The next call asks again. */
  async get(): Promise<EngineCapabilities> {
    const reading = (this.reading ??= readCapabilities(this.docker))
    try {
      return await reading
    } catch (error) {
      if (this.reading === reading) this.reading = undefined
      throw error
    }
  }

  /** Another engine may listen at the address after one went away. */
  forget(): void {
    this.reading = undefined
  }
}
