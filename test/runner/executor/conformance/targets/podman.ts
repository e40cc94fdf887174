import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import Docker from 'dockerode'
import { execa } from 'execa'

import { tempDir } from '../../../../support/temp-dir.js'
import type { RunningTarget, Target } from '../target.js'
import { copyImages } from './copy-images.js'
import { AS_USER, missingForUser, prepareUser, SHOW_USER, userEnvironment } from './plain-user.js'
import { startEngine } from './service-process.js'

const PROGRAM = '/usr/bin/podman'

/** Podman of the machine, with storage of its own. */
export const PODMAN: Target = {
  name: 'podman',
  missing: missing(),
  start: () => startPodman(),
}

/** Podman of a user who is not root, with a runner that is. */
export const PODMAN_ROOTLESS: Target = {
  name: 'podman-rootless',
  missing: missing() ?? missingForUser(),
  start: () => startPodman({ isRootless: true }),
}

function missing(): string | undefined {
  if (process.getuid?.() !== 0) return 'it needs root'
  return existsSync(PROGRAM) ? undefined : `there is no ${PROGRAM}`
}

async function startPodman({ isRootless = false } = {}): Promise<RunningTarget> {
  const folder = await tempDir()
  const socket = join(folder, 'podman.sock')
  const docker = new Docker({ socketPath: socket })
  const config = join(folder, 'containers.conf')
  await writeFile(config, await containersConf())
  const inside = (name: string) => join(SHORT, name)
  const storage = ['--root', inside('root'), '--runroot', inside('run'), '--tmpdir', inside('tmp')]
  const networks = ['--network-config-dir', inside('networks')]
  const service = ['system', 'service', '--time', '0', `unix://${socket}`]
  const command = [PROGRAM, ...storage, ...networks, ...service]
  const environment = { CONTAINERS_CONF: config, ...(isRootless ? userEnvironment(folder) : {}) }
  if (isRootless) {
    await prepareUser(folder)
    await startEngine([...AS_USER, ...command], docker, {
      folder,
      environment,
      before: `${SHOW_USER}; ${SHORTEN}`,
    })
  } else {
    await startEngine(command, docker, { folder, environment, before: SHORTEN })
  }
  return {
    runner: {},
    docker: { host: `unix://${socket}` },
    engines: [docker],
    provide: copyImages([docker]),
  }
}

/** Podman accepts no folder whose path is longer than 50 characters: it sees its own one here. */
const SHORT = '/mnt'
const SHORTEN = `mount --bind "$0" ${SHORT}`

/** Debian recommends this package beside Podman. Another init process will do. */
const INIT = ['/usr/bin/catatonit', '/usr/bin/docker-init'].find((path) => existsSync(path))

/**
 * Without systemd, and with the limits of this process: the engine raises those of containers by default, which not every
 * machine allows.
 */
async function containersConf(): Promise<string> {
  const { stdout } = await execa('sh', ['-c', 'ulimit -Hn; ulimit -Hu; cat /proc/sys/kernel/pid_max'])
  const [files = '', ...processes] = stdout.split('\n')
  const number = Math.min(...processes.map((text) => Number(text) || Infinity))
  return `[containers]
default_ulimits = ["nofile=${files}:${files}", "nproc=${number}:${number}"]
init_path = "${INIT ?? ''}"
[engine]
cgroup_manager = "cgroupfs"
events_logger = "file"
lock_type = "file"
[network]
network_backend = "netavark"
`
}
