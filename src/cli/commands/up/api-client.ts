import { createWriteStream } from 'node:fs'
import { pipeline } from 'node:stream/promises'

import { type Dispatcher, request } from 'undici'

import { UnexpectedResponseError } from './errors.js'

export interface ProjectRecord {
  id: number
  path_with_namespace: string
  default_branch: string | null
  http_url_to_repo: string
}

export interface PipelineRecord {
  id: number
  status: string
  yaml_errors?: string | null
  web_url?: string
}

export interface JobRecord {
  id: number
  name: string
  stage: string
  status: string
  failure_reason?: string
  started_at: string | null
  /** In seconds. Null before it has started. */
  duration: number | null
  artifacts_file?: { filename: string; size: number } | null
}

/** The API requests of `switchyard up` to the coordinator. They are the same as those of any other client. */
export class ApiClient {
  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async findProject(fullPath: string): Promise<ProjectRecord | undefined> {
    const path = `/projects/${encodeURIComponent(fullPath)}`
    const response = await this.send('GET', path)
    if (response.statusCode !== 404) return this.read('GET', path, response)
    await response.body.dump()
    return undefined
  }

  createProject(name: string): Promise<ProjectRecord> {
    return this.call('POST', '/projects', { name })
  }

  createPipeline(projectId: number, ref: string): Promise<PipelineRecord> {
    return this.call('POST', `/projects/${projectId}/pipeline`, { ref })
  }

  async findPipelineOf(projectId: number, sha: string): Promise<PipelineRecord | undefined> {
    const pipelines = await this.call<PipelineRecord[]>('GET', `/projects/${projectId}/pipelines?sha=${sha}`)
    return pipelines[0]
  }

  pipeline(projectId: number, id: number): Promise<PipelineRecord> {
    return this.call('GET', `/projects/${projectId}/pipelines/${id}`)
  }

  jobs(projectId: number, pipelineId: number): Promise<JobRecord[]> {
    return this.call('GET', `/projects/${projectId}/pipelines/${pipelineId}/jobs?per_page=100`)
  }

  /** The log so far. */
  async trace(projectId: number, jobId: number): Promise<Buffer> {
    const path = `/projects/${projectId}/jobs/${jobId}/trace`
    const response = await this.send('GET', path)
    if (response.statusCode !== 200) return this.read('GET', path, response)
    return Buffer.from(await response.body.arrayBuffer())
  }

  /** The URL that signs the user of the token in, once. */
  async createSignInLink(): Promise<string> {
    const { id } = await this.call<{ id: number }>('GET', '/user')
    return (await this.call<{ url: string }>('POST', `/users/${id}/sign_in_links`)).url
  }

  async downloadArtifacts(projectId: number, jobId: number, file: string): Promise<void> {
    const path = `/projects/${projectId}/jobs/${jobId}/artifacts`
    const response = await this.send('GET', path)
    if (response.statusCode !== 200) return this.read('GET', path, response)
    await pipeline(response.body, createWriteStream(file))
  }

  private async call<T>(method: 'GET' | 'POST', path: string, body?: object): Promise<T> {
    return this.read(method, path, await this.send(method, path, body))
  }

  private send(method: 'GET' | 'POST', path: string, body?: object): Promise<Dispatcher.ResponseData> {
    return request(`${this.url}/api/v4${path}`, {
      method,
      headers: { 'private-token': this.token, ...(body ? { 'content-type': 'application/json' } : {}) },
      body: body ? JSON.stringify(body) : null,
    })
  }

  private async read<T>(method: string, path: string, response: Dispatcher.ResponseData): Promise<T> {
    const text = await response.body.text()
    if (response.statusCode >= 300) throw new UnexpectedResponseError(method, path, response.statusCode, text)
    return JSON.parse(text) as T
  }
}
