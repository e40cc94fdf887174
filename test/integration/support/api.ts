export interface PipelineRecord {
  id: number
  status: string
  sha: string
  ref: string
  yaml_errors: string | null
}

export interface JobRecord {
  id: number
  name: string
  stage: string
  status: string
  failure_reason?: string
  duration: number | null
  artifacts: { file_type: string; filename: string; size: number }[]
  runner: { id: number; description: string } | null
}

/** The calls of the public API that the tests make. */
export class Api {
  constructor(
    readonly url: string,
    readonly token: string,
  ) {}

  async request(method: string, path: string, body?: unknown): Promise<Response> {
    return fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: {
        'private-token': this.token,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    })
  }

  async json<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await this.request(method, path, body)
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`)
    return (await response.json()) as T
  }

  createProject(name: string): Promise<{ id: number; path_with_namespace: string; runners_token: string }> {
    return this.json('POST', '/projects', { name })
  }

  pipelines(projectId: number): Promise<PipelineRecord[]> {
    return this.json('GET', `/projects/${projectId}/pipelines`)
  }

  pipeline(projectId: number, pipelineId: number): Promise<PipelineRecord> {
    return this.json('GET', `/projects/${projectId}/pipelines/${pipelineId}`)
  }

  jobs(projectId: number, pipelineId: number): Promise<JobRecord[]> {
    return this.json('GET', `/projects/${projectId}/pipelines/${pipelineId}/jobs?per_page=100`)
  }

  async trace(projectId: number, jobId: number): Promise<string> {
    const response = await this.request('GET', `/projects/${projectId}/jobs/${jobId}/trace`)
    return response.text()
  }
}
