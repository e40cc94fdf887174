import Docker from 'dockerode'

import { makeImages } from '../images.js'
import type { SettingsTable, TargetName } from '../row.js'
import type { Target } from '../target.js'

/** The engine of the machine. `runner`: settings in `[[runners]]`. */
function dockerTarget(name: TargetName, runner: SettingsTable): Target {
  return {
    name,
    missing: undefined,
    start: async () => ({ runner, docker: {}, engines: [new Docker()], provide: makeImages }),
  }
}

/** Jobs with their files in folders of the machine. */
export const DOCKER = dockerTarget('docker', { workspace: 'bind' })

/** Jobs with their files in volumes. */
export const DOCKER_VOLUME = dockerTarget('docker-volume', { workspace: 'volume' })
