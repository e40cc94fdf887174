import { once } from 'node:events'

import { describe, expect, test } from 'vitest'

import { deferred } from '../../../../src/lib/deferred.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { configuredHosts } from '../../../../src/runner/executor/docker/hosts/configured-hosts.js'
import type { DockerHost, HostSource } from '../../../../src/runner/executor/docker/hosts/host-source.js'
import { PoolExecutor } from '../../../../src/runner/executor/docker/hosts/pool-executor.js'
import {
  ExecutorError,
  type ExecutorJob,
  type HostView,
  type JobEnvironment,
} from '../../../../src/runner/executor/executor.js'
import type { JobLog } from '../../../../src/runner/trace/job-log.js'
import { executorJob } from '../../../support/executor-job.js'
import { onFinished } from '../../../support/lifetime.js'
import { LocalExecutor } from '../../../support/local-executor.js'
import { NEVER, RecordedLog } from '../docker-jobs.js'

/** One engine by the name of its host. Each counts how often it was cleaned, and what was kept. */
class Engine extends LocalExecutor {
  readonly kept: number[][] = []
  /** In place of the script. */
  run: ((log: JobLog) => Promise<{ exitCode: number }>) | undefined

  override async prepare(job: ExecutorJob): Promise<JobEnvironment> {
    const environment = await super.prepare(job)
    return {
      ...environment,
      run: (stage, log, ...rest) => this.run?.(log) ?? environment.run(stage, log, ...rest),
    }
  }

  override async removeLeftovers(kept: ReadonlySet<number> = new Set()): Promise<void> {
    this.kept.push([...kept].sort())
  }
}

interface Pool {
  pool: PoolExecutor
  engines: Map<string, Engine>
  place(
    jobId: number,
    more?: { signal?: AbortSignal; log?: RecordedLog },
  ): ReturnType<PoolExecutor['prepare']>
  hostOf(jobId: number): string | undefined
}

function host(name: string, concurrent = 1): DockerHost {
  return { name, engine: { host: `unix:///${name}` }, concurrent, weight: 1 }
}

function openPool(source: HostSource, replaces?: Pool, engineAwaySeconds?: number): Pool {
  const engines = replaces?.engines ?? new Map<string, Engine>()
  const executorFor = ({ name }: DockerHost) => {
    const engine = engines.get(name) ?? new Engine()
    engines.set(name, engine)
    return engine
  }
  const pool = new PoolExecutor({
    source,
    executorFor,
    loads: replaces?.pool.loads,
    engineAwaySeconds,
    logger: createLogger('test', 'silent'),
  })
  onFinished(() => pool.close())
  return {
    pool,
    engines,
    place: (jobId, { signal = NEVER, log = new RecordedLog() } = {}) =>
      pool.prepare(executorJob({ jobId }), log, signal),
    hostOf: (jobId) => [...engines].find(([, { jobs }]) => jobs.some((job) => job.jobId === jobId))?.[0],
  }
}

async function untilStates(pool: PoolExecutor, ...states: HostView['state'][]): Promise<void> {
  await expect.poll(() => pool.hosts().map(({ state }) => state), { interval: 5 }).toEqual(states)
}

test('a job waits until a host has room, and can be canceled while it waits', async () => {
  const { pool, place, hostOf } = openPool(configuredHosts([host('a'), host('b')]))
  await pool.ping()
  await untilStates(pool, 'online', 'online')
  const [first] = await Promise.all([place(1), place(2)])
  expect(pool.capacity.jobs).toBe(2)
  const log = new RecordedLog()
  const waiting = place(3, { log })
  const canceled = new AbortController()
  const other = place(4, { signal: canceled.signal })
  canceled.abort(new Error('canceled'))
  await expect(other).rejects.toThrow('canceled')
  expect(log.text).toContain('Waiting for a host with room')
  await first.cleanUp()
  await waiting
  expect(hostOf(3)).toBe(hostOf(1))
})

test('a host that fails to prepare a job is named, and the next attempt is made elsewhere', async () => {
  const { pool, engines, place, hostOf } = openPool(configuredHosts([host('a'), host('b')]))
  await untilStates(pool, 'online', 'online')
  const broken = engines.get('a') ?? expect.fail('no engine')
  broken.failPreparation = async () => {
    throw new ExecutorError('the disk is full', 'runner_system_failure')
  }
  await expect(place(1)).rejects.toThrow('On the host "a": the disk is full')
  await (await place(2)).cleanUp()
  expect(hostOf(2)).toBe('b')
  expect(pool.hosts()[0]).toMatchObject({
    state: 'online',
    running: 0,
    lastError: { message: 'the disk is full' },
  })
})

test('the capacity follows the hosts that respond, and the jobs on those that do not', async () => {
  const { pool, engines, place } = openPool(configuredHosts([host('a', 3), host('b', 2)]))
  await untilStates(pool, 'online', 'online')
  expect(pool.capacity.jobs).toBe(5)
  const environments = await Promise.all([place(1), place(2)])
  engines.get('b')?.disconnect('The engine is away.')
  await untilStates(pool, 'online', 'offline')
  expect(pool.capacity.jobs).toBe(4)
  engines.get('a')?.disconnect('The engine is away.')
  await untilStates(pool, 'offline', 'offline')
  await expect(pool.ping()).rejects.toThrow(
    'None of the 2 hosts responds. "a": The engine is away. "b": The engine',
  )
  await Promise.all(environments.map((environment) => environment.cleanUp()))
  for (const engine of engines.values()) engine.problem = undefined
  await untilStates(pool, 'online', 'online')
  expect(pool.capacity.jobs).toBe(5)
})

test('the jobs of other hosts are kept as well, because two hosts may lead to one engine', async () => {
  const { pool, engines, place } = openPool(configuredHosts([host('a'), host('b')]))
  await untilStates(pool, 'online', 'online')
  await Promise.all([place(1), place(2)])
  engines.get('a')?.disconnect('The engine is away.')
  await untilStates(pool, 'offline', 'online')
  for (const engine of engines.values()) engine.problem = undefined
  await untilStates(pool, 'online', 'online')
  expect(engines.get('a')?.kept.at(-1)).toEqual([1, 2])
})

test('without a machine that anything needs, the pool rests', async () => {
  const source: HostSource = { ...configuredHosts([]), capacity: 0 }
  const { pool } = openPool(source)
  await expect(pool.ping()).rejects.toThrow('There is no host for jobs.')
  expect(pool.isResting).toBe(true)
  expect(openPool(configuredHosts([])).pool.isResting).toBe(false)
})

test('a host is cleaned when it comes back, except for the jobs that run', async () => {
  const { pool, engines, place, hostOf } = openPool(configuredHosts([host('a', 2)]))
  await pool.removeLeftovers(new Set([7]))
  await untilStates(pool, 'online')
  expect(engines.get('a')?.kept).toEqual([[7]])
  await place(1)
  expect(hostOf(1)).toBe('a')
  engines.get('a')?.disconnect('The engine is away.')
  await untilStates(pool, 'offline')
  for (const engine of engines.values()) engine.problem = undefined
  await untilStates(pool, 'online')
  expect(engines.get('a')?.kept).toEqual([[7], [1, 7]])
})

test('a pool with new settings knows the jobs of the one before', async () => {
  const before = openPool(configuredHosts([host('a')]))
  await untilStates(before.pool, 'online')
  const environment = await before.place(1)
  before.pool.close()
  const after = openPool(configuredHosts([host('a')]), before)
  await untilStates(after.pool, 'online')
  const next = after.place(2)
  expect(after.pool.hosts()).toMatchObject([{ name: 'a', running: 1 }])
  await environment.cleanUp()
  await next
  expect(after.pool.hosts()).toMatchObject([{ name: 'a', running: 1 }])
})

test('jobs are adopted on the host in their record only, and a job of a host that no longer exists fails', async () => {
  const { pool, place } = openPool(configuredHosts([host('a')]))
  await untilStates(pool, 'online')
  const { record } = await place(1)
  expect(record).toEqual({ host: 'a', environment: {} })
  const adopt = (known: Record<string, unknown>) =>
    pool.adopt(executorJob({ jobId: 9 }), known, new RecordedLog())
  await expect(adopt({ ...record, host: 'gone' })).rejects.toThrow('host "gone", which no longer exists')
  await expect(adopt({})).rejects.toThrow('names no host')
})

test('what waits for a lost host to adopt its job ends, so that the runner can end', async () => {
  const { pool, engines, place } = openPool(configuredHosts([host('a')]), undefined, 0.05)
  await untilStates(pool, 'online')
  const { record } = await place(1)
  const engine = engines.get('a') ?? expect.fail('no engine')
  const ended = deferred()
  engine.adopt = async (_job, _record, _log, signal = NEVER) => {
    await once(signal, 'abort')
    ended.resolve()
    throw signal.reason
  }
  const adopting = pool.adopt(executorJob({ jobId: 1 }), record, new RecordedLog())
  engine.disconnect('The engine is away.')
  await expect(adopting).rejects.toThrow('On the host "a": The engine has not responded')
  await ended.promise
})

test('hosts may come and go: one that is not offered any more keeps its job to the end', async () => {
  const listeners = new Set<() => void>()
  const placed: string[] = []
  let hosts: DockerHost[] = []
  const source: HostSource = {
    get hosts() {
      return hosts
    },
    capacity: 2,
    onChange: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    jobStarted: (name, jobId) => placed.push(`${jobId} on ${name}`),
    jobEnded: (name, jobId) => placed.push(`${jobId} left ${name}`),
    find: (name) => (name === 'vm-1' ? host(name) : undefined),
  }
  const offer = (...next: DockerHost[]) => {
    hosts = next
    for (const listener of listeners) listener()
  }
  const { pool, place } = openPool(source)
  await pool.ping()
  const waiting = place(1)
  offer(host('vm-1'))
  const environment = await waiting
  offer()
  expect(pool.hosts()).toMatchObject([{ name: 'vm-1', state: 'removed', running: 1 }])
  await environment.cleanUp()
  await environment.cleanUp()
  expect(pool.hosts()).toEqual([])
  expect(placed).toEqual(['1 on vm-1', '1 left vm-1'])
})

describe('a job that runs', () => {
  const stage = { name: 'script' }

  /** Its script prints `begun`, and its engine never says that it has ended. */
  async function openRunning(source: HostSource, engineAwaySeconds?: number) {
    const opened = openPool(source, undefined, engineAwaySeconds)
    await untilStates(opened.pool, 'online')
    const engine = opened.engines.get('a') ?? expect.fail('no engine')
    const late = deferred()
    engine.run = async (log) => {
      log.plain('begun')
      await late.promise
      log.plain('written too late')
      return { exitCode: 0 }
    }
    const log = new RecordedLog()
    const environment = await opened.place(1, { log })
    const running = environment.run(stage, log, NEVER).catch((error: unknown) => error)
    await log.seen('begun')
    return { ...opened, engine, environment, running, log, late }
  }

  test('fails at once when the source no longer knows its machine, and leaves its log alone', async () => {
    let isThere = true
    const listeners = new Set<() => void>()
    const away: string[] = []
    const source: HostSource = {
      get hosts() {
        return isThere ? [host('a')] : []
      },
      capacity: 1,
      onChange: (listener) => {
        listeners.add(listener)
        return () => listeners.delete(listener)
      },
      jobStarted: () => {},
      jobEnded: () => {},
      hostAway: (name) => void away.push(name),
      find: (name) => (isThere ? host(name) : undefined),
    }
    const { pool, engine, environment, running, log, late } = await openRunning(source)
    engine.disconnect('The engine is away.')
    await expect.poll(() => away, { interval: 5 }).toEqual(['a'])
    isThere = false
    for (const listener of listeners) listener()
    expect(await running).toMatchObject({
      reason: 'runner_system_failure',
      message: 'On the host "a": The machine no longer exists.',
    })
    await environment.cleanUp()
    expect(engine.cleanedUp).toBe(0)
    expect(pool.hosts()).toEqual([])
    late.resolve()
    await expect(environment.run(stage, log, NEVER)).rejects.toThrow('no longer exists')
    expect(log.text).not.toContain('too late')
  })

  test('fails when its host has been away for as long as it may, and the host is cleaned when it is back', async () => {
    const { pool, engine, environment, running } = await openRunning(configuredHosts([host('a')]), 0.05)
    engine.disconnect('The engine is away.')
    expect(await running).toMatchObject({
      reason: 'runner_system_failure',
      message: expect.stringMatching(
        /^On the host "a": The engine has not responded for \d+ seconds. The engine is away.$/,
      ) as string,
    })
    await environment.cleanUp()
    expect(engine.cleanedUp).toBe(0)
    const cleaned = engine.kept.length
    engine.problem = undefined
    await untilStates(pool, 'online')
    expect(engine.kept.slice(cleaned)).toEqual([[]])
  })

  test('continues when its host is back in time, also in a pool that was replaced', async () => {
    const { pool, engine, environment, running, log, late } = await openRunning(
      configuredHosts([host('a')]),
      60,
    )
    pool.close()
    engine.disconnect('The engine is away.')
    await untilStates(pool, 'offline')
    engine.problem = undefined
    await untilStates(pool, 'online')
    late.resolve()
    expect(await running).toEqual({ exitCode: 0 })
    expect(log.text).toContain('too late')
    await environment.cleanUp()
    expect(engine.cleanedUp).toBe(1)
  })
})

test('a host that cannot create the container of a job gets no more for a while', async () => {
  const { pool, engines, place, hostOf } = openPool(configuredHosts([host('a'), host('b')]))
  await untilStates(pool, 'online', 'online')
  const environment = await place(1)
  const first = hostOf(1) ?? ''
  const engine = engines.get(first) ?? expect.fail('no engine')
  engine.run = async () => {
    throw new ExecutorError('no space left on device', 'runner_system_failure')
  }
  await expect(environment.run({ name: 'script' }, new RecordedLog(), NEVER)).rejects.toThrow(
    `On the host "${first}": no space left on device`,
  )
  await environment.cleanUp()
  await (await place(2)).cleanUp()
  expect(hostOf(2)).not.toBe(first)
})

test('a preparation that hangs on a host that is away is given up', async () => {
  const { pool, engines, place } = openPool(configuredHosts([host('a')]), undefined, 0.05)
  await untilStates(pool, 'online')
  const engine = engines.get('a') ?? expect.fail('no engine')
  engine.failPreparation = () => new Promise<never>(() => {})
  const placing = place(1).catch((error: unknown) => error)
  await expect.poll(() => engine.jobs.length, { interval: 5 }).toBe(1)
  engine.disconnect('The engine is away.')
  expect(await placing).toMatchObject({
    message: expect.stringContaining('On the host "a": The engine has not responded') as string,
  })
  expect(pool.hosts()).toMatchObject([{ state: 'offline', running: 0 }])
})
