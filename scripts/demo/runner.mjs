const SYSTEMS = {
  docker: { platform: 'linux', executor: 'docker', shell: 'bash' },
  kubernetes: { platform: 'linux', executor: 'kubernetes', shell: 'bash' },
  shell: { platform: 'linux', executor: 'shell', shell: 'bash' },
  macos: { platform: 'darwin', executor: 'shell', shell: 'bash' },
  windows: { platform: 'windows', executor: 'docker-windows', shell: 'pwsh' },
}

/** @typedef {keyof typeof SYSTEMS} SystemKind */
/** @typedef {import('../../src/protocol/job-payload.js').JobPayload} JobPayload */
/** @typedef {{ id: number, token: string }} JobKey */
/** @typedef {{ type: string, format: string, filename: string, content: Buffer | string, expireIn?: string }} UploadedFile */

const REVISIONS = { '19.3.0': 'a7b4c1d2', '19.1.2': '0e88b7f1', '18.9.0': '5d1f44aa' }

/** One manager of a runner, as the coordinator sees it: it requests jobs, and ends them with what it is given. */
export class RunnerManager {
  /**
   * @param {import('./api.mjs').Api} api
   * @param {{ token: string, systemId: string, kind: SystemKind, architecture?: string, version?: keyof typeof REVISIONS, concurrency?: number }} properties
   */
  constructor(api, { token, systemId, kind, architecture = 'amd64', version = '19.3.0', concurrency = 1 }) {
    this.api = api
    this.token = token
    this.systemId = systemId
    this.info = {
      name: 'switchyard-runner',
      version,
      revision: REVISIONS[version],
      architecture,
      ...SYSTEMS[kind],
      features: {
        variables: true,
        image: true,
        services: true,
        artifacts: true,
        cache: true,
        refspecs: true,
        upload_multiple_artifacts: true,
        upload_raw_artifacts: true,
        artifacts_exclude: true,
        trace_reset: true,
        trace_checksum: true,
        trace_size: true,
        cancelable: true,
        masking: true,
        multi_build_steps: true,
        return_exit_code: true,
        raw_variables: true,
        shared: true,
        session: false,
        terminal: false,
        proxy: false,
        vault_secrets: true,
        cancel_gracefully: false,
        cache_fallback_keys: true,
        service_variables: true,
      },
      config: { gpus: '', concurrency },
    }
  }

  /**
   * @param {{ lastUpdate?: string | undefined, signal?: AbortSignal }} [held] with the value of an earlier response the coordinator
   *   holds the request until there is a job
   * @returns {Promise<{ job: JobPayload | undefined, lastUpdate: string | undefined }>}
   */
  async request({ lastUpdate, signal } = {}) {
    const response = await this.api.pool.request({
      method: 'POST',
      path: '/api/v4/jobs/request',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token: this.token,
        system_id: this.systemId,
        info: this.info,
        ...(lastUpdate === undefined ? {} : { last_update: lastUpdate }),
      }),
      ...(signal && { signal }),
    })
    const text = await response.body.text()
    const version = response.headers['x-gitlab-last-update']
    if (response.statusCode !== 201 && response.statusCode !== 204)
      throw new Error(`POST /jobs/request: ${response.statusCode} ${text}`)
    return {
      job: response.statusCode === 201 ? /** @type {JobPayload} */ (JSON.parse(text)) : undefined,
      lastUpdate: typeof version === 'string' ? version : undefined,
    }
  }

  /**
   * Appends to the log of a job.
   * @param {JobKey} job
   * @param {number} offset bytes that it has
   * @param {Buffer} bytes
   * @returns {Promise<string>} status of the job, as the runner should see it
   */
  async append(job, offset, bytes) {
    const response = await this.api.pool.request({
      method: 'PATCH',
      path: `/api/v4/jobs/${job.id}/trace`,
      headers: {
        'job-token': job.token,
        'content-type': 'text/plain',
        'content-range': `${offset}-${offset + bytes.length - 1}`,
      },
      body: bytes,
    })
    const text = await response.body.text()
    // 403: the job was canceled, or ended otherwise.
    if (response.statusCode !== 202 && response.statusCode !== 403)
      throw new Error(`PATCH trace of job ${job.id}: ${response.statusCode} ${text}`)
    return response.statusCode === 403 ? 'canceled' : String(response.headers['job-status'])
  }

  /**
   * @param {JobKey} job
   * @param {UploadedFile} file
   */
  async upload(job, { type, format, filename, content, expireIn }) {
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(Buffer.from(content))]), filename)
    const query = new URLSearchParams({ artifact_type: type, artifact_format: format })
    if (expireIn) query.set('expire_in', expireIn)
    const response = await fetch(`${this.api.url}/api/v4/jobs/${job.id}/artifacts?${query.toString()}`, {
      method: 'POST',
      headers: { 'job-token': job.token },
      body: form,
    })
    if (response.status !== 201) throw new Error(`Artifacts: ${response.status} ${await response.text()}`)
    await response.arrayBuffer()
  }

  /**
   * Reports the end of a job.
   * @param {JobKey} job
   * @param {import('./scripts.mjs').Ending} ending
   * @param {number} size of the log, in bytes
   */
  async finish(job, { state, failureReason, exitCode }, size) {
    const response = await this.api.pool.request({
      method: 'PUT',
      path: `/api/v4/jobs/${job.id}`,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        token: job.token,
        state,
        info: this.info,
        output: { bytesize: size },
        ...(failureReason && { failure_reason: failureReason }),
        ...(exitCode !== undefined && { exit_code: exitCode }),
      }),
    })
    const text = await response.body.text()
    if (response.statusCode >= 300 && response.statusCode !== 403)
      throw new Error(`PUT job ${job.id}: ${response.statusCode} ${text}`)
  }
}
