import { posix } from 'node:path'

import type Docker from 'dockerode'
import type { Container } from 'dockerode'

import type { Logger } from '../../../../lib/logger.js'
import { createContainer } from '../containers/create-container.js'
import { readFromArchive } from '../containers/read-from-archive.js'
import { removeContainer } from '../containers/remove-container-and-volumes.js'
import { statusOf } from '../engine.js'

const MAX_REMEMBERED = 1000
const MAX_LINKS = 5

/**
 * Resolves users of an image to their numbers. Results are cached, because an image ID always refers to the same
 * files. Names are looked up in a container that is created, never started, and removed.
 */
export class UserResolver {
  private readonly known = new Map<string, Promise<Owner | undefined>>()

  /** `labels` are set on the containers, so that those of a killed runner can be found again. */
  constructor(
    private readonly docker: Docker,
    private readonly labels: Record<string, string>,
    private readonly logger: Logger,
  ) {}

  /**
   * `user` has the format of container creation: a name or number, optionally with a group. Undefined or empty
   * selects the user of the image. Returns undefined if the image has no such user. Throws the engine's errors.
   */
  async resolve(imageId: string, user: string | undefined): Promise<Owner | undefined> {
    const key = `${imageId} ${user ?? ''}`
    const known = this.known.get(key)
    if (known) return await known
    const asked = this.lookUp(imageId, user ?? '')
    if (this.known.size >= MAX_REMEMBERED) this.known.clear()
    this.known.set(key, asked)
    asked.catch(() => this.known.delete(key))
    return await asked
  }

  private async lookUp(imageId: string, asked: string): Promise<Owner | undefined> {
    const user = asked === '' ? await this.userOfImage(imageId) : asked
    const owner = numericOwner(user)
    return owner ?? findOwner(user, await this.readUserFiles(imageId))
  }

  private async userOfImage(imageId: string): Promise<string> {
    const { Config: config } = await this.docker.getImage(imageId).inspect()
    return config.User
  }

  private async readUserFiles(imageId: string): Promise<UserFiles> {
    const options = { Image: imageId, Cmd: ['none'], Labels: this.labels }
    const container = await createContainer(this.docker, options)
    try {
      return {
        passwd: await readFile(container, '/etc/passwd'),
        group: await readFile(container, '/etc/group'),
      }
    } finally {
      await removeContainer(container, this.logger)
    }
  }
}

/** The text of a file in the container. Empty if there is none. Links are followed inside the container. */
async function readFile(container: Container, path: string, links = MAX_LINKS): Promise<string> {
  try {
    const found = await readFromArchive(await container.getArchive({ path }))
    if (found.link === undefined || links === 0) return found.text
    return await readFile(container, posix.resolve(posix.dirname(path), found.link), links - 1)
  } catch (error) {
    if (statusOf(error) !== undefined) return ''
    throw error
  }
}

/** The numeric IDs of a user and a group. */
interface Owner {
  uid: number
  gid: number
}

/** The text of `/etc/passwd` and `/etc/group`. Empty if there is no such file. */
interface UserFiles {
  passwd: string
  group: string
}

/** Resolves users whose IDs need no lookup: root, an empty name, and `uid:gid`. Returns undefined for others. */
export function numericOwner(user: string): Owner | undefined {
  if (user === '' || user === 'root') return { uid: 0, gid: 0 }
  const [, uid, gid] = /^(\d+):(\d+)$/.exec(user) ?? []
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) }
}

/**
 * Resolves `user[:group]` like the engine. A name must be in the files. A number need not be, and has group 0 then.
 * Returns undefined for an unknown name.
 */
export function findOwner(user: string, { passwd, group }: UserFiles): Owner | undefined {
  const [userName = '', groupName] = user.split(':')
  const line = findLine(passwd, userName)
  const uid = line ? numberIn(line, 2) : plainNumber(userName)
  const gid = groupName ? findGroup(groupName, group) : line ? numberIn(line, 3) : 0
  return uid === undefined || gid === undefined ? undefined : { uid, gid }
}

function findGroup(name: string, group: string): number | undefined {
  const line = findLine(group, name)
  return line ? numberIn(line, 2) : plainNumber(name)
}

/** Finds a line `name:password:number:...` by name or number. */
function findLine(file: string, name: string): string[] | undefined {
  const lines = file.split('\n').map((line) => line.trim().split(':'))
  return lines.find(([first]) => first === name) ?? lines.find(([, , number]) => number === name)
}

function numberIn(line: string[], index: number): number | undefined {
  return plainNumber(line[index] ?? '')
}

function plainNumber(text: string): number | undefined {
  return /^\d+$/.test(text) ? Number(text) : undefined
}
