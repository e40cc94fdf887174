import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readFile, realpath } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { promisify } from 'node:util'

import Docker from 'dockerode'
import { type Pack, pack } from 'tar-stream'

const run = promisify(execFile)

const DIRECTORIES = ['bin', 'etc', 'root', 'tmp']
const BUSYBOX_CHANGES = ['ENV PATH=/usr/bin:/bin', 'CMD ["sh"]']

/** Name of a local image made of the system's static busybox; no registry is asked. */
export async function busyboxImage(): Promise<string> {
  return await localImage('switchyard-test-busybox:latest', BUSYBOX_CHANGES, addBusybox)
}

/** Like `busyboxImage`, with the Dockerfile instructions `changes`. `name` must be unique for them. */
export async function busyboxVariant(name: string, changes: string[]): Promise<string> {
  return await localImage(`switchyard-test-${name}:latest`, [...BUSYBOX_CHANGES, ...changes], addBusybox)
}

/** As `busyboxImage`, and the system's git with the libraries it needs. */
export async function gitImage(): Promise<string> {
  return await localImage('switchyard-test-git:latest', BUSYBOX_CHANGES, async (archive) => {
    await addBusybox(archive)
    await addPrograms(archive, ['/usr/bin/git'])
  })
}

/** As `gitImage`, with what git needs to speak HTTP. */
export async function gitHttpImage(): Promise<string> {
  return await localImage('switchyard-test-git-http:latest', BUSYBOX_CHANGES, async (archive) => {
    await addBusybox(archive)
    await addPrograms(archive, ['/usr/bin/git', '/usr/lib/git-core/git-remote-http'])
  })
}

/** An image with one program, which is not a shell. */
export async function shelllessImage(): Promise<string> {
  return await localImage('switchyard-test-shell-less:latest', ['CMD ["/true"]'], async (archive) => {
    archive.entry({ name: 'true', mode: 0o755 }, await readFile('/bin/busybox'))
  })
}

/** busybox with an entrypoint that prints a line, sets a variable and executes its arguments. */
export async function entrypointImage(): Promise<string> {
  const changes = [...BUSYBOX_CHANGES, 'ENTRYPOINT ["/entrypoint"]']
  return await localImage('switchyard-test-entrypoint:latest', changes, async (archive) => {
    await addBusybox(archive)
    const script = '#!/bin/sh\necho "entrypoint ran"\nexport FROM_ENTRYPOINT=yes\nexec "$@"\n'
    archive.entry({ name: 'entrypoint', mode: 0o755 }, script)
  })
}

async function localImage(
  name: string,
  changes: string[],
  fill: (archive: Pack) => Promise<void>,
): Promise<string> {
  const docker = new Docker()
  if (!(await exists(docker, name))) await importImage(docker, name, changes, fill)
  return name
}

async function exists(docker: Docker, name: string): Promise<boolean> {
  const found = await docker.listImages({ filters: { reference: [name] } })
  return found.length > 0
}

/** First under a unique name: two concurrent imports would leave an unnamed image. */
async function importImage(
  docker: Docker,
  name: string,
  changes: string[],
  fill: (archive: Pack) => Promise<void>,
): Promise<void> {
  const archive = pack()
  const filling = fill(archive).then(() => archive.finalize())
  const tag = randomUUID()
  const unique = `switchyard-test-import:${tag}`
  const options = { repo: 'switchyard-test-import', tag, changes: changes.join('\n') }
  const progress = await docker.importImage(Readable.from(archive as AsyncIterable<Buffer>), options)
  await filling
  await new Promise<void>((resolve, reject) => {
    docker.modem.followProgress(progress, (error) => (error ? reject(error) : resolve()))
  })
  const [repo = name, finalTag = 'latest'] = name.split(':')
  if (!(await exists(docker, name))) await docker.getImage(unique).tag({ repo, tag: finalTag })
  await docker.getImage(unique).remove()
}

async function addBusybox(archive: Pack): Promise<void> {
  for (const name of DIRECTORIES)
    archive.entry({ name, type: 'directory', mode: name === 'tmp' ? 0o1777 : 0o755 })
  archive.entry({ name: 'etc/passwd' }, 'root:x:0:0:root:/root:/bin/sh\nbuilder:x:1000:1000::/tmp:/bin/sh\n')
  archive.entry({ name: 'bin/busybox', mode: 0o755 }, await readFile('/bin/busybox'))
  const { stdout } = await run('/bin/busybox', ['--list'])
  for (const applet of stdout
    .trim()
    .split('\n')
    .filter((line) => line !== 'busybox')) {
    archive.entry({ name: `bin/${applet}`, type: 'symlink', linkname: 'busybox' })
  }
}

/** The programs and every shared library that the dynamic linker would load for them. */
async function addPrograms(archive: Pack, paths: string[]): Promise<void> {
  const linked = await Promise.all(paths.map((path) => run('ldd', [path])))
  const libraries = linked.flatMap(({ stdout }) => stdout.match(/\/\S+/g) ?? [])
  const files = [...new Set([...paths, ...libraries])]
  // Engines disagree about the mode of a directory that no entry names.
  for (const name of new Set(files.flatMap(parentsOf))) {
    archive.entry({ name: name.slice(1), type: 'directory', mode: 0o755 })
  }
  for (const file of files) {
    archive.entry({ name: file.slice(1), mode: 0o755 }, await readFile(await realpath(file)))
  }
}

/** `/usr` and `/usr/bin` for `/usr/bin/git`. */
function parentsOf(file: string): string[] {
  const parts = file.split('/').slice(1, -1)
  return parts.map((_, index) => `/${parts.slice(0, index + 1).join('/')}`)
}
