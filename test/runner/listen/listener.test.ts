import { describe, expect, onTestFinished, test } from 'vitest'

import { ExecutorError } from '../../../src/runner/executor/executor.js'
import { jobPayload } from '../../support/job-payload.js'
import { MisbehavingCoordinator } from '../../support/misbehaving-coordinator.js'
import { configText, type DaemonTestOptions, daemonUnderTest } from '../../support/running-daemon.js'

const LISTEN = { listen: { host: '127.0.0.1', port: 0 } }

async function listeningDaemon(
  text?: (url: string) => string,
  options: Pick<DaemonTestOptions, 'coordinator'> = {},
) {
  const under = await daemonUnderTest(text, { overrides: LISTEN, ...options })
  const get = async (path: string, method = 'GET') => {
    const response = await fetch(`http://127.0.0.1:${under.daemon.port}${path}`, { method })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }
  return { ...under, get }
}

describe('runner metrics', () => {
  test('count jobs, failures, stages and job-related calls', async () => {
    const { coordinator, get, daemon } = await listeningDaemon((url) => configText(url, [{ limit: 3 }]))
    const queue = { time_in_queue_seconds: 2, project_jobs_running_on_instance_runners_count: '+Inf' }
    const { job_info } = jobPayload()
    coordinator.offer(
      jobPayload({ job_info: { ...job_info, ...queue } }),
      jobPayload({ id: 125, steps: [{ name: 'script', script: ['exit 3'] }] }),
    )
    await coordinator.until(() => coordinator.finalUpdate(125) !== undefined)
    await expect.poll(() => daemon.runner.jobs()).toEqual([])
    const { text, headers } = await get('/metrics')
    expect(headers.get('content-type')).toMatch(/^text\/plain/)
    const entry = 'runner="runner-to",runner_name="entry-0",system_id="r_'
    const lines = text.split('\n')
    const line = (start: string, end: string) =>
      expect(lines.filter((each) => each.startsWith(start) && each.endsWith(end))).toHaveLength(1)
    line(`gitlab_runner_jobs_total{${entry}`, '"} 2')
    line(
      `gitlab_runner_failed_jobs_total{${entry}`,
      '",failure_reason="script_failure",mode="traditional"} 1',
    )
    line(`gitlab_runner_job_duration_seconds_count{`, `"} 2`)
    line(`gitlab_runner_job_queue_duration_seconds_bucket{le="3",${entry}`, ',project_jobs_running="+Inf"} 1')
    line(`gitlab_runner_job_stage_duration_seconds_count{${entry}`, 'stage="step_script"} 2')
    line('gitlab_runner_api_request_statuses_total{', 'endpoint="request_job",method="post",status="201"} 2')
    line('gitlab_runner_limit{', '} 3')
    line('gitlab_runner_concurrent ', ' 1')
    line('gitlab_runner_version_info{name="switchyard-runner",', '} 1')
    line('gitlab_runner_configuration_loaded_total ', ' 1')
  })

  test('show running jobs by state and stage, as the list of jobs does', async () => {
    const { coordinator, get, directory } = await listeningDaemon()
    const script = [`while [ ! -e ${directory}/go ]; do sleep 0.05; done`]
    coordinator.offer(jobPayload({ steps: [{ name: 'script', script }] }))
    await coordinator.until(() => coordinator.trace(124).includes('$ while'))
    expect((await get('/metrics')).text).toMatch(
      /gitlab_runner_jobs\{.*state="running",stage="step_script",executor_stage="docker_run"\} 1\n/,
    )
    const list = await get('/debug/jobs/list')
    expect(list.headers.get('x-list-version')).toBe('2')
    expect(list.text).toMatch(
      /^url=124 state=running stage=step_script executor_stage=docker_run duration=\d+\.\d+s\n$/,
    )
  })

  test('count invalid settings', async () => {
    const { configure, daemon, get } = await listeningDaemon()
    await configure('concurrent = 0')
    await daemon.reload()
    expect((await get('/metrics')).text).toContain('gitlab_runner_configuration_loading_error_total 1\n')
  })
})

describe('runner health', () => {
  test('is live when it listens, and ready when a registration polls and its engine responds', async () => {
    const { get } = await listeningDaemon()
    expect((await get('/health')).status).toBe(200)
    const ready = await get('/health/ready')
    expect(ready.status).toBe(200)
    expect(JSON.parse(ready.text)).toEqual({ ready: true, reasons: [] })
  })

  test('is not ready when the engine does not respond, and reports it', async () => {
    const { get, executor } = await listeningDaemon()
    executor.ping = () => Promise.reject(new ExecutorError('The engine is gone', 'runner_system_failure'))
    const ready = await get('/health/ready')
    expect(ready.status).toBe(503)
    expect(JSON.parse(ready.text)).toEqual({ ready: false, reasons: ['"entry-0" The engine is gone'] })
  })

  test('is not ready when the coordinator rejects it', async () => {
    const coordinator = await MisbehavingCoordinator.start()
    onTestFinished(() => coordinator.stop())
    // From the first request on: a later one may be held for a job.
    coordinator.misbehave('request', ...Array.from({ length: 5 }, () => ({ status: 403 })))
    const { get } = await listeningDaemon(
      (url) => configText(url, [{ unhealthy_requests_limit: 1, unhealthy_interval: '1h' }]),
      { coordinator },
    )
    await expect.poll(async () => (await get('/health/ready')).status).toBe(503)
    expect((await get('/health/ready')).text).toContain('was refused by its coordinator and pauses for')
    expect((await get('/metrics')).text).toMatch(
      /gitlab_runner_worker_health_check_failures_total\{.*runner_name="entry-0".*\} 1\n/,
    )
  })

  test('is not ready without a registration', async () => {
    const { get } = await listeningDaemon(() => '')
    expect((await get('/health/ready')).status).toBe(503)
  })
})

test('other paths and methods return 404', async () => {
  const { get } = await listeningDaemon()
  expect((await get('/')).status).toBe(404)
  expect((await get('/metrics', 'POST')).status).toBe(405)
  const head = await get('/metrics', 'HEAD')
  expect([head.status, head.text]).toEqual([200, ''])
})

test('an address in use ends the start, and releases the data directory', async () => {
  const first = await listeningDaemon()
  const taken = { listen: { host: '127.0.0.1', port: first.daemon.port ?? 0 } }
  const { directory, coordinator } = await daemonUnderTest().then(async (second) => {
    await second.daemon.runner.stopGracefully()
    await second.daemon.finished
    return second
  })
  await expect(daemonUnderTest(undefined, { directory, coordinator, overrides: taken })).rejects.toThrow(
    'Cannot listen on 127.0.0.1',
  )
  await daemonUnderTest(undefined, { directory, coordinator })
})
