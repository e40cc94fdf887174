import { messageOf } from '../../../../lib/errors.js'
import type { Logger } from '../../../../lib/logger.js'
import { ExecutorError } from '../../executor.js'
import { connectEngine, isEngineLocal } from '../connect-engine.js'
import { engineFailure } from '../engine.js'
import { metadataProblem } from '../network/block-metadata.js'
import type { DockerExecutorSettings } from '../settings.js'
import type { EngineCapabilities } from './capabilities.js'
import { abilitiesOf, type Ability, type SettingCost, settingCosts } from './engine-report.js'
import { probeEngine } from './probe-engine.js'
import { readCapabilities } from './read-capabilities.js'

/** What an engine can do for the jobs of a registration, or why it cannot be asked. */
export type EngineReport =
  | { problem: string }
  | { problem: undefined; engine: EngineCapabilities; abilities: Ability[]; settings: SettingCost[] }

export interface CheckOptions {
  /** Whether the daemon is to block the metadata addresses (`block_metadata_addresses`). */
  blocksMetadata: boolean
  logger: Logger
}

/**
 * Asks the engine of the settings what it can do, and tries what it does not say. What it creates for that is removed.
 * Does not throw for an engine that cannot be reached.
 */
export async function checkEngine(
  settings: DockerExecutorSettings,
  { blocksMetadata, logger }: CheckOptions,
): Promise<EngineReport> {
  try {
    const docker = connectEngine(settings)
    const engine = await readCapabilities(docker)
    const probes = await probeEngine(docker, engine, settings, logger)
    const isLocal = isEngineLocal(settings)
    const metadata = blocksMetadata
      ? await metadataProblem({
          platform: process.platform,
          isRoot: process.getuid?.() === 0,
          isEngineLocal: isLocal,
          isEngineRootless: engine.isRootless,
        })
      : 'block_metadata_addresses = false'
    const abilities = abilitiesOf(engine, { ...probes, metadata, isLocal })
    return { problem: undefined, engine, abilities, settings: settingCosts(engine, settings) }
  } catch (error) {
    const failure = error instanceof ExecutorError ? error : engineFailure(error, 'being checked')
    return { problem: messageOf(failure) }
  }
}
