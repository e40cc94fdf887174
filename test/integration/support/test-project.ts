import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { execa } from 'execa'

import type { JobRecord, PipelineRecord } from './api.js'
import type { System } from './system.js'
import { until } from './until.js'

const FINISHED = ['success', 'failed', 'canceled', 'skipped', 'manual']

/** A project of the coordinator with a working copy that is pushed with the real git. */
export class TestProject {
  private constructor(
    private readonly system: System,
    readonly id: number,
    readonly path: string,
    readonly directory: string,
  ) {}

  static async create(
    system: System,
    record: { id: number; path_with_namespace: string },
  ): Promise<TestProject> {
    const directory = join(system.directory, 'working-copies', String(record.id))
    await mkdir(directory, { recursive: true })
    const project = new TestProject(system, record.id, record.path_with_namespace, directory)
    await project.git('init', '--quiet', '--initial-branch', 'main')
    const url = new URL(`${system.api.url}/${record.path_with_namespace}.git`)
    url.username = 'root'
    url.password = system.api.token
    await project.git('remote', 'add', 'origin', url.href)
    return project
  }

  /** Commits `files`, pushes the branch and returns the new pipeline. */
  async push(files: Record<string, string | Buffer>, branch = 'main'): Promise<PipelineRecord> {
    await this.commit(files)
    return this.pushHead(branch)
  }

  async commit(files: Record<string, string | Buffer>): Promise<void> {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(this.directory, name)), { recursive: true })
      await writeFile(join(this.directory, name), content)
    }
    await this.git('add', '--all')
    await this.git('commit', '--quiet', '--message', 'Change')
  }

  /** Pushes the last commit and returns its pipeline. May be repeated. */
  async pushHead(branch = 'main'): Promise<PipelineRecord> {
    await this.git('push', '--quiet', 'origin', `HEAD:refs/heads/${branch}`)
    return this.pipelineOfHead(branch)
  }

  /** Tags the last commit. */
  async pushTag(tag: string): Promise<PipelineRecord> {
    await this.git('tag', tag)
    await this.git('push', '--quiet', 'origin', `refs/tags/${tag}`)
    return this.pipelineOfHead(tag)
  }

  /** Replaces the last commit of the branch by one without the file. */
  async forcePushWithout(file: string, branch: string): Promise<void> {
    await this.git('rm', '--quiet', file)
    await this.git('commit', '--quiet', '--amend', '--message', 'Without')
    await this.git('push', '--quiet', '--force', 'origin', `HEAD:refs/heads/${branch}`)
  }

  pushCi(ciFile: string): Promise<PipelineRecord> {
    return this.push({ '.gitlab-ci.yml': ciFile })
  }

  finished(pipeline: PipelineRecord): Promise<PipelineRecord> {
    return until(
      `pipeline ${pipeline.id} to finish`,
      async () => {
        const now = await this.system.api.pipeline(this.id, pipeline.id)
        return FINISHED.includes(now.status) ? now : undefined
      },
      () => this.system.log(),
    )
  }

  async job(pipeline: PipelineRecord, name: string): Promise<JobRecord> {
    const job = (await this.system.api.jobs(this.id, pipeline.id)).find((each) => each.name === name)
    if (!job) throw new Error(`Pipeline ${pipeline.id} has no job ${name}`)
    return job
  }

  jobIn(pipeline: PipelineRecord, name: string, ...statuses: string[]): Promise<JobRecord> {
    return until(
      `job ${name} to be ${statuses.join(' or ')}`,
      async () => {
        const job = await this.job(pipeline, name)
        return statuses.includes(job.status) ? job : undefined
      },
      () => this.system.log(),
    )
  }

  /** The ends of the traces of jobs that did not succeed, for the message of a test. */
  async failures(pipeline: PipelineRecord): Promise<string[]> {
    const jobs = await this.system.api.jobs(this.id, pipeline.id)
    const failed = jobs.filter((job) => job.status !== 'success')
    return Promise.all(
      failed.map(async (job) => `${job.name} ${job.status}: ${(await this.trace(job)).slice(-1000)}`),
    )
  }

  /** Status of every job by its name. */
  async statuses(pipeline: PipelineRecord): Promise<Record<string, string>> {
    const jobs = await this.system.api.jobs(this.id, pipeline.id)
    return Object.fromEntries(jobs.map((job) => [job.name, job.status]))
  }

  trace(job: JobRecord): Promise<string> {
    return this.system.api.trace(this.id, job.id)
  }

  traceContaining(job: JobRecord, text: string): Promise<string> {
    return until(
      `the trace of job ${job.name} to contain "${text}"`,
      async () => {
        const trace = await this.trace(job)
        return trace.includes(text) ? trace : undefined
      },
      () => this.system.log(),
    )
  }

  request(method: string, path: string, body?: unknown): Promise<Response> {
    return this.system.api.request(method, `/projects/${this.id}${path}`, body)
  }

  private async pipelineOfHead(ref: string): Promise<PipelineRecord> {
    const sha = (await this.git('rev-parse', 'HEAD')).trim()
    return until('the pipeline of the push', async () =>
      (await this.system.api.pipelines(this.id)).find((each) => each.sha === sha && each.ref === ref),
    )
  }

  private async git(...args: string[]): Promise<string> {
    const { stdout } = await execa('git', args, {
      cwd: this.directory,
      env: {
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_NAME: 'Test',
        GIT_AUTHOR_EMAIL: 'test@example.com',
        GIT_COMMITTER_NAME: 'Test',
        GIT_COMMITTER_EMAIL: 'test@example.com',
      },
    })
    return stdout
  }
}
