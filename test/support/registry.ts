import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Readable } from 'node:stream'

import Docker from 'dockerode'
import { pack } from 'tar-stream'

import { onFinished } from './lifetime.js'
import { tempDir } from './temp-dir.js'

/** Debian's registry on loopback, where the engine takes plain HTTP. */
export interface Registry {
  /** `127.0.0.1:port` */
  host: string
  /** Creates a small unique image, pushes it under `name` and deletes it from the engine. Returns its name. */
  push(name: string, file?: { name: string; content: string }): Promise<string>
  /** Pushes an image of the engine under another name. */
  pushCopy(name: string, image: string): Promise<void>
  /** Stops it before the end of the test. */
  stop(): Promise<void>
}

/** The one user of a registry with a password. */
export const REGISTRY_USER = { username: 'builder', password: 's3cret-of-registry' }
const HASHED_PASSWORD = '$2y$04$4bmt7btMnBXNKr36n9vntOxVUewo1VCSBGd00K2S6sjA.7GS3htRW'

/** Stops after the test; its images at the engine are then removed. */
export async function startRegistry({ withPassword = false } = {}): Promise<Registry> {
  const folder = await tempDir()
  const config = join(folder, 'config.json')
  await writeFile(join(folder, 'htpasswd'), `${REGISTRY_USER.username}:${HASHED_PASSWORD}\n`)
  await writeFile(config, JSON.stringify(registryConfig(folder, withPassword)))
  const child = spawn('docker-registry', ['serve', config], { stdio: ['ignore', 'ignore', 'pipe'] })
  onFinished(() => stop(child))
  const host = await listening(child)
  onFinished(() => removeImages(host))
  return {
    host,
    push: (name, file) => push(`${host}/${name}`, withPassword, file),
    pushCopy: (name, image) => pushCopy(`${host}/${name}`, image, withPassword),
    stop: () => stop(child),
  }
}

/** JSON is YAML. */
function registryConfig(folder: string, withPassword: boolean) {
  const auth = { htpasswd: { realm: 'test', path: join(folder, 'htpasswd') } }
  return {
    version: 0.1,
    log: { level: 'info', formatter: 'json' },
    storage: { filesystem: { rootdirectory: join(folder, 'data') } },
    http: { addr: '127.0.0.1:0', secret: randomBytes(16).toString('hex') },
    ...(withPassword ? { auth } : {}),
  }
}

/** Reads the log while the registry runs. Resolves with the address when it listens. */
async function listening(child: ChildProcess): Promise<string> {
  const { stderr } = child
  if (!stderr) throw new Error('the registry has no output')
  const lines: string[] = []
  return await new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`the registry ended: ${lines.join('\n')}`)))
    createInterface({ input: stderr }).on('line', (line) => {
      lines.push(line)
      const [, address] = /listening on (127\.0\.0\.1:\d+)/.exec(line) ?? []
      if (address) resolve(address)
    })
  })
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

async function push(
  image: string,
  withPassword: boolean,
  file = { name: 'unique', content: randomBytes(16).toString('hex') },
): Promise<string> {
  const docker = new Docker()
  const archive = pack()
  archive.entry({ name: file.name }, file.content)
  archive.finalize()
  const [repo = image, tag = 'latest'] = image.split(/:(?=[^:/]*$)/)
  const options = { repo, tag, changes: `LABEL unique=${randomBytes(8).toString('hex')}` }
  await finished(docker, await docker.importImage(Readable.from(archive as AsyncIterable<Buffer>), options))
  await pushAndRemove(docker, image, withPassword)
  return image
}

async function pushCopy(name: string, image: string, withPassword: boolean): Promise<void> {
  const docker = new Docker()
  const [repo = name, tag = 'latest'] = name.split(/:(?=[^:/]*$)/)
  await docker.getImage(image).tag({ repo, tag })
  await pushAndRemove(docker, name, withPassword)
}

async function pushAndRemove(docker: Docker, image: string, withPassword: boolean): Promise<void> {
  const authconfig = withPassword ? REGISTRY_USER : { username: '', password: '' }
  await finished(docker, await docker.getImage(image).push({ authconfig }))
  await docker.getImage(image).remove({ force: true })
}

async function finished(docker: Docker, progress: NodeJS.ReadableStream): Promise<void> {
  const failure = await new Promise<Error | null>((resolve) => {
    docker.modem.followProgress(progress, (error) => resolve(error))
  })
  if (failure) throw failure
}

async function removeImages(host: string): Promise<void> {
  const docker = new Docker()
  const images = await docker.listImages({ filters: { reference: [`${host}/*`, `${host}/*/*`] } })
  await Promise.all(images.map(({ Id: id }) => docker.getImage(id).remove({ force: true })))
}

/** The content of `DOCKER_AUTH_CONFIG` for these registries. */
export function authConfigFor(hosts: string[], { username, password } = REGISTRY_USER): string {
  const auth = Buffer.from(`${username}:${password}`).toString('base64')
  return JSON.stringify({ auths: Object.fromEntries(hosts.map((host) => [host, { auth }])) })
}
