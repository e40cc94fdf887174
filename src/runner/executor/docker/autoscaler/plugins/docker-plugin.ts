import { join } from 'node:path'
import { finished } from 'node:stream/promises'

import type Docker from 'dockerode'

import { namesIn } from '../../../../../lib/files.js'
import { pause } from '../../../../../lib/pause.js'
import { connectEngine } from '../../connect-engine.js'
import { isNotFound } from '../../engine.js'
import { PluginError } from '../model/errors.js'
import type { Connection } from '../model/instance.js'
import { isNameIn } from '../model/pool-names.js'
import type { DockerPluginSettings } from '../model/settings.js'
import { engineState, lastWords, removeEngine, socketOf, startEngine } from './engine-process.js'
import type { Plugin, PluginInstance } from './plugin.js'

/** Milliseconds between two attempts to reach an engine that starts. */
const POLL = 100

/**
 * "Machines" that are Docker engines of their own on this machine (`startEngine`). They outlive the runner, as machines do.
 * Their containers reach each other and no other network. Needs root and dockerd; for tests and demos.
 */
export class DockerPlugin implements Plugin {
  constructor(
    private readonly settings: DockerPluginSettings,
    private readonly pool: string,
    /** With a folder for each engine. */
    private readonly folder: string,
  ) {}

  async create(name: string): Promise<PluginInstance> {
    await startEngine(join(this.folder, name))
    return { name }
  }

  async delete({ name }: PluginInstance): Promise<void> {
    await removeEngine(join(this.folder, name))
  }

  /** An engine that was killed is gone; its files are removed. */
  async list(): Promise<PluginInstance[]> {
    const machines: PluginInstance[] = []
    for (const name of await namesIn(this.folder)) {
      if (!isNameIn(this.pool, name)) continue
      if ((await engineState(join(this.folder, name))) === 'ended') await this.delete({ name })
      else machines.push({ name })
    }
    return machines
  }

  /** Copies the images that are missing. Not when the engine is created: a runner that is killed there never does it. */
  async connect({ name }: PluginInstance, signal: AbortSignal): Promise<Connection> {
    const host = `unix://${socketOf(join(this.folder, name))}`
    const connection = { host, separate_networks: true }
    const engine = connectEngine({ host })
    await this.untilResponds(engine, name, signal)
    for (const image of this.settings.images)
      if (!(await hasImage(engine, image))) await copyImage(engine, image)
    return connection
  }

  private async untilResponds(engine: Docker, name: string, signal: AbortSignal): Promise<void> {
    const folder = join(this.folder, name)
    while (!(await engine.ping().then(Boolean, () => false))) {
      signal.throwIfAborted()
      await pause(POLL, signal)
      // One that is deleted while this waits is absent.
      if ((await engineState(folder)) !== 'running')
        throw new PluginError(`dockerd ended: ${await lastWords(folder)}`)
    }
  }
}

async function hasImage(engine: Docker, image: string): Promise<boolean> {
  try {
    await engine.getImage(image).inspect()
    return true
  } catch (error) {
    if (isNotFound(error)) return false
    throw error
  }
}

/** Copies an image of the engine of this machine. */
async function copyImage(engine: Docker, image: string): Promise<void> {
  const archive = await connectEngine().getImage(image).get()
  const progress = await engine.loadImage(archive)
  progress.resume()
  await finished(progress)
}
