import { join } from 'node:path'

import type { LogOutput } from '../../lib/logger.js'
import { WarningsFile } from '../../lib/warnings-file.js'

/** The last warnings and errors of a coordinator, which a support bundle contains. */
export function warningsPath(dataDir: string): string {
  return join(dataDir, 'warnings.log')
}

/** An output of the log that keeps them. */
export function keepsWarnings({ dataDir }: { dataDir: string }): LogOutput {
  const file = new WarningsFile(warningsPath(dataDir))
  return { onWarning: (json) => file.add(json) }
}
