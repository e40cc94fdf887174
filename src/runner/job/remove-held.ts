import type { Logger } from '../../lib/logger.js'
import type { JobEnvironment } from '../executor/executor.js'
import type { JobWorkspace } from '../workspace/workspace.js'

export interface HeldParts {
  environment: JobEnvironment
  /** Undefined if it could not be opened again. */
  workspace: JobWorkspace | undefined
  logger: Logger
}

/** Removes what a held job has kept. A failure is logged, and left to the cleanup at the next start of the runner. */
export async function removeHeld({ environment, workspace, logger }: HeldParts): Promise<void> {
  try {
    await environment.cleanUp()
    await workspace?.close()
    await workspace?.maintain()
  } catch (error) {
    logger.error({ err: error }, 'Not everything of a held job could be removed')
  }
}
