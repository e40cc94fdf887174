import { createHash } from 'node:crypto'
import { homedir } from 'node:os'
import { basename, join, resolve } from 'node:path'

import { newToken } from '../../../lib/tokens.js'
import { NO_SERVER } from '../../working-directory/local-event.js'
import type { WorkingDirectory } from '../../working-directory/working-directory.js'
import type { LocalOptions } from './local-options.js'
import type { LocalRunnerOptions } from './local-runner.js'

/** The settings of the runner. Caches are kept for each working directory. */
export function runSettings(
  { root }: WorkingDirectory,
  options: LocalOptions,
): Omit<LocalRunnerOptions, 'repository'> {
  const { image, privileged = false, pull = false, cacheDir } = options
  const cacheHome = process.env['XDG_CACHE_HOME'] || join(homedir(), '.cache')
  const digest = createHash('sha256').update(root).digest('hex').slice(0, 12)
  const dataDir = resolve(cacheDir ?? join(cacheHome, 'switchyard/local'), `${basename(root)}-${digest}`)
  return { dataDir, image, privileged, pull, token: newToken(), url: NO_SERVER }
}
