import { join } from 'node:path'

import { watch } from 'rolldown'

import config from '../../rolldown.config.js'
import { root } from '../setup/root.mjs'
import { BUNDLE_FOLDER } from './paths.mjs'
import { replaceModules } from './replace-modules.mjs'

/** The modules of the two commands. */
const COMMANDS = {
  coordinator: join(root, 'src/cli/commands/coordinator.ts'),
  runner: join(root, 'src/cli/commands/runner/index.ts'),
}

/** A version of each command, which differs if any module differs that it imports. @typedef {Record<keyof typeof COMMANDS, string>} Versions */
/** `changedAt`: of `performance.now()`. @typedef {{ versions: Versions, changedAt: number }} Built */

/**
 * Bundles the server, and again at each change. Rolldown keeps what it has read in memory. Earlier chunks stay, because
 * a running process may load more of them.
 * @param {import('rolldown').Plugin} packages see `bundlePackages`
 * @param {(built: Built) => void} onBuilt
 * @param {(error: Error) => void} onFailed
 * @returns {{ close(): Promise<void> }}
 */
export function watchBundle(packages, onBuilt, onFailed) {
  /** @type {Versions} */
  let versions = { coordinator: '', runner: '' }
  /** @type {import('rolldown').Plugin} */
  const readVersions = {
    name: 'read-versions',
    writeBundle(_options, bundle) {
      versions = { coordinator: nameOf(bundle, 'coordinator'), runner: nameOf(bundle, 'runner') }
    },
  }
  let changedAt = performance.now()
  const [output] = [config.output].flat()
  const watcher = watch({
    ...config,
    plugins: [packages, replaceModules(), readVersions],
    output: { ...output, dir: BUNDLE_FOLDER },
  })
  watcher.on('change', () => {
    changedAt = performance.now()
  })
  watcher.on('event', async (event) => {
    if (event.code === 'BUNDLE_END') {
      await event.result.close()
      onBuilt({ versions, changedAt })
    } else if (event.code === 'ERROR') {
      await event.result.close()
      onFailed(event.error)
    }
  })
  return watcher
}

/**
 * The file name of the chunk of a command. It has a hash of its content, in which the names of all imported chunks are.
 * @param {import('rolldown').OutputBundle} bundle
 * @param {keyof typeof COMMANDS} command
 */
function nameOf(bundle, command) {
  const chunk = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.moduleIds.includes(COMMANDS[command]),
  )
  if (!chunk) throw new Error(`The bundle has no chunk for ${COMMANDS[command]}`)
  return chunk.fileName
}
