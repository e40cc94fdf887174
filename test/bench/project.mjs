import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'

import { ADMIN_TOKEN } from './tokens.mjs'

const run = promisify(execFile)

const POLL_MILLISECONDS = 100
const READ_MILLISECONDS = 20

/** @typedef {{ id: number, status: string, created_at: string, started_at: string | null, finished_at: string | null }} JobRecord */

/** A project whose pipeline has one job, which can be run again and again. */
export class Project {
  /**
   * @param {string} api
   * @param {number} id
   * @param {string} address to push to, with credentials
   */
  constructor(api, id, address) {
    this.api = api
    this.id = id
    this.address = address
  }

  /**
   * @param {string} url of the coordinator
   * @param {string} folder for the working copy
   * @param {string} ciFile
   * @param {number} files beside the CI file
   * @param {object} settings of the project
   */
  static async create(url, folder, ciFile, files = 0, settings = {}) {
    const project = await call(`${url}/api/v4/projects`, { name: basename(folder), ...settings })
    const address = new URL(`${url}/${String(project.path_with_namespace)}.git`)
    address.username = 'root'
    address.password = ADMIN_TOKEN
    await pushFiles(folder, ciFile, files, address.href)
    return new Project(`${url}/api/v4/projects/${String(project.id)}`, Number(project.id), address.href)
  }

  /** Milliseconds from the creation of the pipeline to the end of its job, by the coordinator's clock. */
  async timeJob() {
    const pipeline = await call(`${this.api}/pipeline`, { ref: 'main' })
    const job = await this.finishedJob(Number(pipeline.id))
    if (job.status !== 'success')
      throw new Error(`Job ${job.id} ended as ${job.status}:\n${await this.endOfTrace(job.id)}`)
    return Date.parse(job.finished_at ?? '') - Date.parse(job.created_at)
  }

  /** Milliseconds from the creation of the pipeline to the end of the last of its jobs. */
  async timePipeline() {
    const pipeline = await call(`${this.api}/pipeline`, { ref: 'main' })
    for (;;) {
      const response = await fetch(`${this.api}/pipelines/${String(pipeline.id)}/jobs`, {
        headers: credentials,
      })
      const jobs = /** @type {JobRecord[]} */ (await response.json())
      if (jobs.every(({ finished_at }) => finished_at)) {
        const failed = jobs.find(({ status }) => status !== 'success')
        if (failed) throw new Error(`Job ${failed.id} ended as ${failed.status}`)
        const created = jobs.map(({ created_at }) => Date.parse(created_at))
        const finished = jobs.map(({ finished_at }) => Date.parse(finished_at ?? ''))
        return Math.max(...finished) - Math.min(...created)
      }
      await pause(POLL_MILLISECONDS)
    }
  }

  /** Runs a pipeline of any number of jobs to its end; its jobs. */
  async runPipeline() {
    const { id } = await call(`${this.api}/pipeline`, { ref: 'main' })
    const read = async (/** @type {string} */ path) => {
      const response = await fetch(`${this.api}/pipelines/${String(id)}${path}`, { headers: credentials })
      return response.json()
    }
    for (;;) {
      const { status, finished_at } = /** @type {JobRecord} */ (await read(''))
      if (status === 'success') break
      if (finished_at) {
        const [failed] = /** @type {JobRecord[]} */ (await read('/jobs?scope=failed'))
        throw new Error(`The pipeline ended as ${status}:\n${await this.endOfTrace(failed?.id ?? 0)}`)
      }
      await pause(POLL_MILLISECONDS)
    }
    /** @type {JobRecord[]} */
    const jobs = []
    for (let page = 1; jobs.length === (page - 1) * 100; page++)
      jobs.push(.../** @type {JobRecord[]} */ (await read(`/jobs?per_page=100&page=${page}`)))
    return jobs
  }

  /** The trace of a new job as it grows, read as often as a page would at most, until the job is over. */
  async *tracesOfNewJob() {
    const pipeline = await call(`${this.api}/pipeline`, { ref: 'main' })
    for (;;) {
      const response = await fetch(`${this.api}/pipelines/${String(pipeline.id)}/jobs`, {
        headers: credentials,
      })
      const [job] = /** @type {JobRecord[]} */ (await response.json())
      if (!job) throw new Error('The pipeline has no job')
      yield this.trace(job.id)
      if (job.finished_at) return
      await pause(READ_MILLISECONDS)
    }
  }

  /** @param {number} jobId */
  async trace(jobId) {
    const response = await fetch(`${this.api}/jobs/${jobId}/trace`, { headers: credentials })
    return response.ok ? response.text() : ''
  }

  /** @param {number} jobId */
  async endOfTrace(jobId) {
    return (await this.trace(jobId)).slice(-2000)
  }

  /**
   * @param {number} pipelineId
   * @returns {Promise<JobRecord>}
   */
  async finishedJob(pipelineId) {
    for (;;) {
      const response = await fetch(`${this.api}/pipelines/${pipelineId}/jobs`, { headers: credentials })
      const [job] = /** @type {JobRecord[]} */ (await response.json())
      if (job?.finished_at) return job
      await pause(POLL_MILLISECONDS)
    }
  }
}

const credentials = { 'private-token': ADMIN_TOKEN }

/**
 * @param {string} url
 * @param {object} body
 * @returns {Promise<Record<string, unknown>>}
 */
export async function call(url, body) {
  const response = await fetch(url, {
    method: 'POST',
    headers: { ...credentials, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`POST ${url}: ${response.status} ${text}`)
  return /** @type {Record<string, unknown>} */ (JSON.parse(text))
}

/**
 * @param {string} folder
 * @param {string} ciFile
 * @param {number} files
 * @param {string} address
 */
async function pushFiles(folder, ciFile, files, address) {
  await mkdir(folder)
  for (let file = 0; file < files; file++)
    await writeFile(join(folder, `file-${file}`), `content of file ${file}\n`)
  await writeFile(join(folder, '.gitlab-ci.yml'), ciFile)
  const author = ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com']
  for (const args of [
    ['init', '--quiet', '--initial-branch=main'],
    ['add', '.'],
    [...author, 'commit', '--quiet', '--message', 'Add the job'],
    ['push', '--quiet', '--push-option=ci.skip', address, 'main'],
  ]) {
    await run('git', args, { cwd: folder })
  }
}
