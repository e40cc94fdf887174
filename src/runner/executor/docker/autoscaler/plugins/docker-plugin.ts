import { join } from 'node:path'
import { finished } from 'node:stream/promises'

import { namesIn } from '../../../../../lib/files.js'
import { pause } from '../../../../../lib/pause.js'
import { connectEngine } from '../../connect-engine.js'
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

  async create(name: string, signal: AbortSignal): Promise<PluginInstance> {
    const folder = join(this.folder, name)
    await startEngine(folder)
    await this.untilResponds(name, signal)
    for (const image of this.settings.images) await this.copyImage(name, image)
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

  async connect({ name }: PluginInstance): Promise<Connection> {
    return { host: `unix://${socketOf(join(this.folder, name))}`, separate_networks: true }
  }

  private async untilResponds(name: string, signal: AbortSignal): Promise<void> {
    const folder = join(this.folder, name)
    const engine = connectEngine(await this.connect({ name }))
    while (!(await engine.ping().then(Boolean, () => false))) {
      signal.throwIfAborted()
      await pause(POLL, signal)
      if ((await engineState(folder)) === 'ended')
        throw new PluginError(`dockerd ended: ${await lastWords(folder)}`)
    }
  }

  /** Copies an image of the engine of this machine. */
  private async copyImage(name: string, image: string): Promise<void> {
    const archive = await connectEngine().getImage(image).get()
    const engine = connectEngine(await this.connect({ name }))
    const progress = await engine.loadImage(archive)
    progress.resume()
    await finished(progress)
  }
}
