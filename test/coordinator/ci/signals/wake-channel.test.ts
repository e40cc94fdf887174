import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'

import type { LiveNews } from '../../../../src/coordinator/ci/signals/live-news.js'
import { WakeChannel } from '../../../../src/coordinator/ci/signals/wake-channel.js'
import { deferred } from '../../../../src/lib/deferred.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { openPostgres, type TestDatabase } from '../../../support/databases.js'

/** A channel whose events are awaited one by one. */
async function openChannel({ database, settings }: TestDatabase) {
  if (settings.dialect !== 'postgres') throw new TypeError('The wake channel is for PostgreSQL')
  let heard = deferred<number[]>()
  const concerned = deferred<number[]>()
  const changed = deferred()
  const live = deferred<{ from: string; news: LiveNews }>()
  let listening = deferred()
  const channel = new WakeChannel({
    url: settings.url,
    database,
    logger: createLogger('test', 'silent'),
  })
  channel.on('jobs', (jobIds) => heard.resolve(jobIds))
  channel.on('runnersConcerned', (jobIds) => concerned.resolve(jobIds))
  channel.on('settingsChanged', () => changed.resolve())
  channel.on('live', (from, news) => live.resolve({ from, news }))
  channel.on('listening', () => listening.resolve())
  onTestFinished(() => channel.stop())
  channel.start()
  await listening.promise
  return {
    channel,
    concerned: concerned.promise,
    changed: changed.promise,
    live: live.promise,
    nextJobs: async () => {
      const jobs = await heard.promise
      heard = deferred()
      return jobs
    },
    /** Cuts the connections that listen, as a restart of the server would. */
    cut: async () => {
      listening = deferred()
      await sql`
        select pg_terminate_backend(pid) from pg_stat_activity
        where query like 'listen %' and pid <> pg_backend_pid() and datname = current_database()`.execute(
        database,
      )
      await listening.promise
    },
  }
}

test('the other coordinators receive notifications of new jobs, the sender does not', async () => {
  const store = await openPostgres()
  const here = await openChannel(store)
  const there = await openChannel(store)
  await here.channel.notify([1, 2])
  expect(await there.nextJobs()).toEqual([1, 2])
  await there.channel.notify([3])
  expect(await here.nextJobs()).toEqual([3])
})

test('the other coordinators receive notifications for the runners of a job', async () => {
  const store = await openPostgres()
  const here = await openChannel(store)
  const there = await openChannel(store)
  await here.channel.notifyRunners([7])
  expect(await there.concerned).toEqual([7])
})

test('the other coordinators are notified that settings have changed', async () => {
  const store = await openPostgres()
  const here = await openChannel(store)
  const there = await openChannel(store)
  await here.channel.notifySettings()
  await expect(there.changed).resolves.toBeUndefined()
})

test('the other coordinators receive news for live streams, with the ID of the sender', async () => {
  const store = await openPostgres()
  const here = await openChannel(store)
  const there = await openChannel(store)
  await here.channel.notifyLive({ changed: { jobs: [4] }, grown: [[5, 600]] })
  expect(await there.live).toEqual({
    from: here.channel.self,
    news: { changed: { jobs: [4] }, grown: [[5, 600]] },
  })
})

test('many jobs are announced in several messages', async () => {
  const store = await openPostgres()
  const here = await openChannel(store)
  const there = await openChannel(store)
  const first = there.nextJobs()
  await here.channel.notify(Array.from({ length: 1000 }, (_, index) => 1_000_000_000_000_000 + index))
  expect(await first).toHaveLength(300)
})

test('the channel reconnects after a lost connection and reports it', async () => {
  const store = await openPostgres()
  const here = await openChannel(store)
  const there = await openChannel(store)
  await there.cut()
  await here.channel.notify([5])
  expect(await there.nextJobs()).toEqual([5])
})

test('stopping may be awaited twice', async () => {
  const { channel } = await openChannel(await openPostgres())
  await Promise.all([channel.stop(), channel.stop()])
})
