import { randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import type Docker from 'dockerode'

import type { Logger } from '../../../lib/logger.js'
import type { KnownCapabilities } from './capabilities/read-capabilities.js'
import { createContainer } from './containers/create-container.js'
import { readFromArchive } from './containers/read-from-archive.js'
import { removeContainer } from './containers/remove-container-and-volumes.js'
import { engineFailure, engineWords, statusOf } from './engine.js'
import type { DockerExecutorSettings } from './settings.js'

const MOUNT_POINT = '/switchyard-probe'
const FILE = 'probe'

export interface FileSharingFinding {
  isShared: boolean
  reason: string
}

/** Files that containers and the runner exchange would belong to users that the other one does not know. */
const OTHER_USERS: FileSharingFinding = {
  isShared: false,
  reason: 'the users of containers have other numbers on the machine of the engine',
}

/**
 * Determines whether the engine sees the directories of this machine. It does not if it runs on another machine, or
 * if the runner itself runs in a container, and not usefully if it maps the users of containers. The check runs once, before the first job, with a file of random
 * content: a container that mounts its directory is created, never started, and asked for the file. The address of
 * the engine is not sufficient: a socket may be mounted from outside, and a loopback address may be the end of a
 * tunnel.
 */
export class FileSharing {
  private finding: Promise<FileSharingFinding> | undefined

  constructor(
    private readonly docker: Docker,
    private readonly capabilities: Pick<KnownCapabilities, 'get'>,
    private readonly settings: Pick<DockerExecutorSettings, 'workspace' | 'sharedDir'>,
    /** Labels by which the containers of a killed runner are found again. */
    private readonly labels: Record<string, string>,
    private readonly logger: Logger,
  ) {}

  /**
   * `imageId`: any image that the engine has. Throws an `ExecutorError` if the engine fails. Errors of writing the
   * file are thrown as they are.
   */
  async isShared(imageId: string): Promise<boolean> {
    return (await this.find(imageId)).isShared
  }

  /** Like `isShared`, with the reason. */
  async find(imageId: string): Promise<FileSharingFinding> {
    const { workspace = 'bind', sharedDir } = this.settings
    if (workspace !== 'auto' || sharedDir === undefined)
      return { isShared: workspace !== 'volume', reason: `workspace = "${workspace}"` }
    this.finding ??= this.findOut(imageId, sharedDir)
    try {
      return await this.finding
    } catch (error) {
      this.finding = undefined
      throw error
    }
  }

  private async findOut(imageId: string, sharedDir: string): Promise<FileSharingFinding> {
    if ((await this.capabilities.get()).mapsUsers) return this.record(OTHER_USERS)
    await mkdir(sharedDir, { recursive: true })
    const directory = await mkdtemp(join(sharedDir, 'probe-'))
    try {
      const content = randomBytes(16).toString('hex')
      await writeFile(join(directory, FILE), content)
      return this.record(await this.inspect(imageId, directory, content))
    } finally {
      await rm(directory, { recursive: true, force: true })
    }
  }

  private record(finding: FileSharingFinding): FileSharingFinding {
    const workspace = finding.isShared ? 'bind' : 'volume'
    this.logger.info({ workspace, reason: finding.reason }, 'Kind of workspace chosen')
    return finding
  }

  private async inspect(imageId: string, directory: string, content: string): Promise<FileSharingFinding> {
    const mount = { Type: 'bind' as const, Source: directory, Target: MOUNT_POINT, ReadOnly: true }
    const options = { Image: imageId, Cmd: ['none'], Labels: this.labels, HostConfig: { Mounts: [mount] } }
    try {
      const container = await createContainer(this.docker, options)
      try {
        const found = await readFromArchive(await container.getArchive({ path: `${MOUNT_POINT}/${FILE}` }))
        return found.text === content
          ? { isShared: true, reason: 'the engine sees the files of the runner' }
          : { isShared: false, reason: 'the engine sees other files in place of those of the runner' }
      } finally {
        await removeContainer(container, this.logger)
      }
    } catch (error) {
      if (!isMissingDirectory(error)) {
        throw engineFailure(error, 'checking whether it sees the files of the runner')
      }
      return {
        isShared: false,
        reason: `the engine does not see the files of the runner: ${engineWords(error)}`,
      }
    }
  }
}

/** The messages of engines for a directory that cannot be mounted, or a file that is not in it. */
function isMissingDirectory(error: unknown): boolean {
  const words = engineWords(error)
  if (/no such image|no such container/i.test(words)) return false
  return (
    statusOf(error) !== undefined &&
    /bind source path does not exist|no such file|could not find|not found|not shared/i.test(words)
  )
}
