import { existsSync } from 'node:fs'

import { canInstallPackages, installPackages } from './debian-packages.mjs'

/** Packages of Debian by a file of each: Podman, and what engines without root need. */
const PACKAGES = {
  '/usr/bin/podman': 'podman',
  '/usr/bin/catatonit': 'catatonit',
  '/usr/lib/podman/netavark': 'netavark',
  '/usr/lib/podman/aardvark-dns': 'aardvark-dns',
  '/usr/bin/newuidmap': 'uidmap',
  '/usr/bin/slirp4netns': 'slirp4netns',
  '/usr/bin/fuse-overlayfs': 'fuse-overlayfs',
  '/usr/bin/rootlesskit': 'rootlesskit',
}

/** Installs the engines beside Docker that the nightly run tests. Leaves them out where it cannot. */
export async function ensureOtherEngines() {
  const missing = Object.entries(PACKAGES).filter(([file]) => !existsSync(file))
  if (missing.length === 0 || !(await canInstallPackages())) return
  await installPackages(
    missing.map(([, name]) => name),
    'run jobs on Podman and on engines without root',
  )
}
