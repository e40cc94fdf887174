import { existsSync } from 'node:fs'
import { join } from 'node:path'

import Docker from 'dockerode'

import { tempDir } from '../../../../support/temp-dir.js'
import type { Target } from '../target.js'
import { copyImages } from './copy-images.js'
import { AS_USER, missingForUser, prepareUser, SHOW_USER, userEnvironment } from './plain-user.js'
import { startEngine } from './service-process.js'

const SCRIPT = '/usr/share/docker.io/contrib/dockerd-rootless.sh'
const PROGRAMS = [SCRIPT, '/usr/bin/rootlesskit']

/** Docker of a user who is not root, as Debian's packages docker.io and rootlesskit start it, with a runner that is. */
export const DOCKER_ROOTLESS: Target = {
  name: 'docker-rootless',
  missing: missing() ?? missingForUser(),
  start: async () => {
    const folder = await tempDir()
    const socket = join(folder, 'runtime/docker.sock')
    const docker = new Docker({ socketPath: socket })
    await prepareUser(folder)
    // Control groups of version 1 cannot be given to a user, so that the engine limits nothing there.
    const inside = (name: string) => join(folder, name)
    const options = ['--data-root', inside('home/data'), '--host', `unix://${socket}`]
    await startEngine([...AS_USER, 'sh', SCRIPT, ...options], docker, {
      folder,
      environment: { ...userEnvironment(folder), DOCKERD_ROOTLESS_ROOTLESSKIT_NET: 'slirp4netns' },
      before: SHOW_USER,
    })
    return {
      runner: {},
      docker: { host: `unix://${socket}` },
      engines: [docker],
      provide: copyImages([docker]),
    }
  },
}

function missing(): string | undefined {
  if (process.getuid?.() !== 0) return 'it needs root'
  const program = PROGRAMS.find((path) => !existsSync(path))
  return program === undefined ? undefined : `there is no ${program}`
}
