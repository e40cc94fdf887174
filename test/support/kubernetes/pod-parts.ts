import { mkdir } from 'node:fs/promises'

import type { OpenHelper } from '../../../src/runner/executor/environment-helper.js'
import type { HelperPlaces } from '../../../src/runner/executor/helper-places.js'
import { createCluster } from '../../../src/runner/executor/kubernetes/cluster/create-cluster.js'
import type { KubernetesParts } from '../../../src/runner/executor/kubernetes/kubernetes-executor.js'
import { HelperClient } from '../../../src/runner/helper/client/helper-client.js'
import { tempDir } from '../temp-dir.js'
import type { ApiServer } from './api-server.js'
import { startHelperSocket } from './helper-socket.js'

/** Directories in place of the volumes of a pod. */
export async function podPlaces(): Promise<HelperPlaces> {
  const root = await tempDir()
  const places = {
    builds: `${root}/builds`,
    control: `${root}/control`,
    git: `${root}/git`,
    own: `${root}/own`,
  }
  for (const directory of Object.values(places)) await mkdir(directory)
  return places
}

export const openHelper: OpenHelper = (options) => new HelperClient(options)

/** What executors need for the small API server and these directories. */
export async function podParts(server: ApiServer, places: HelperPlaces): Promise<KubernetesParts> {
  const command = await startHelperSocket(places)
  return {
    connect: async (_settings, options) => await createCluster(server.settings, options),
    places,
    helperCommand: () => command,
  }
}
