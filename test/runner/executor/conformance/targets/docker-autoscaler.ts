import { join } from 'node:path'

import Docker from 'dockerode'

import { namesIn } from '../../../../../src/lib/files.js'
import {
  removeEngine,
  socketOf,
} from '../../../../../src/runner/executor/docker/autoscaler/plugins/engine-process.js'
import { canStartEngine } from '../../../../support/private-engine.js'
import { type Image, makeImages } from '../images.js'
import type { Machines, Target } from '../target.js'

/** Machines on demand: an engine of its own for each row, which outlives the runner as machines do. */
export const DOCKER_AUTOSCALER: Target = {
  name: 'docker-autoscaler',
  missing: canStartEngine ? undefined : 'it needs root and dockerd',
  start: async () => {
    const images: Image[] = []
    const autoscaler = {
      plugin: 'docker',
      plugin_config: { images },
      max_instances: 1,
      update_interval: '1s',
      update_interval_when_expecting: '100ms',
    }
    return {
      // Unlike engines elsewhere, these see the files of the runner.
      runner: { executor: 'docker-autoscaler', workspace: 'volume', autoscaler },
      docker: {},
      engines: [new Docker()],
      provide: async (wanted) => {
        await makeImages(wanted)
        images.splice(0, images.length, ...wanted)
      },
      machines: MACHINES,
    }
  },
}

const MACHINES: Machines = {
  engines: async (data) =>
    (await folders(data)).map((folder) => new Docker({ socketPath: socketOf(folder) })),
  removeAll: async (data) => {
    for (const folder of await folders(data)) await removeEngine(folder)
  },
}

/** The folders of the engines. */
async function folders(data: string): Promise<string[]> {
  const parent = join(data, 'autoscaler/engines')
  return (await namesIn(parent)).map((name) => join(parent, name))
}
