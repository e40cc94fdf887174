import { readFile } from 'node:fs/promises'
import { Readable } from 'node:stream'

import type Docker from 'dockerode'
import { execa } from 'execa'
import { type Pack, pack } from 'tar-stream'

import { CannotStartError } from './errors.js'
import { findBusybox } from './find-busybox.js'
import { SAMPLE_IMAGE } from './sample/files.js'

/** Builds the sample's image from the system's busybox, unless the engine has it. Does not use a registry. */
export async function ensureSampleImage(docker: Docker, say: (line: string) => void): Promise<void> {
  if (await hasImage(docker, SAMPLE_IMAGE)) return
  const busybox = await findBusybox()
  say(`Building the image ${SAMPLE_IMAGE} from ${busybox}`)
  await importImage(docker, SAMPLE_IMAGE, await rootFileSystem(busybox))
}

async function hasImage(docker: Docker, name: string): Promise<boolean> {
  try {
    const images = await docker.listImages({ filters: { reference: [name] } })
    return images.length > 0
  } catch (cause) {
    throw new CannotStartError(
      'No Docker engine responds, but jobs run in its containers. Start it, or set DOCKER_HOST, and try again.',
      { cause },
    )
  }
}

async function importImage(docker: Docker, name: string, archive: Pack): Promise<void> {
  const [repo, tag] = name.split(':')
  const changes = ['ENV PATH=/bin', 'CMD ["sh"]'].join('\n')
  const progress = await docker.importImage(Readable.from(archive as AsyncIterable<Buffer>), {
    repo,
    tag,
    changes,
  })
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(progress, (error) => {
      if (error) reject(error)
      else resolve()
    })
  })
}

async function rootFileSystem(busybox: string): Promise<Pack> {
  const program = await readFile(busybox)
  const { stdout } = await execa(busybox, ['--list'])
  const archive = pack()
  for (const name of ['bin', 'etc', 'root']) archive.entry({ name, type: 'directory', mode: 0o755 })
  archive.entry({ name: 'tmp', type: 'directory', mode: 0o1777 })
  archive.entry({ name: 'etc/passwd' }, 'root:x:0:0:root:/root:/bin/sh\n')
  archive.entry({ name: 'etc/group' }, 'root:x:0:\n')
  archive.entry({ name: 'bin/busybox', mode: 0o755 }, program)
  for (const name of stdout.split('\n').filter((applet) => applet !== '' && applet !== 'busybox')) {
    archive.entry({ name: `bin/${name}`, type: 'symlink', linkname: 'busybox' })
  }
  archive.finalize()
  return archive
}
