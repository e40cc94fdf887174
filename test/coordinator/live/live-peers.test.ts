import { expect, onTestFinished, test } from 'vitest'

import type { LiveNews } from '../../../src/coordinator/ci/signals/live-news.js'
import type { Changes } from '../../../src/coordinator/live/changes.js'
import { LivePeers } from '../../../src/coordinator/live/live-peers.js'
import { deferred } from '../../../src/lib/deferred.js'
import { createLogger } from '../../../src/lib/logger.js'
import { testAtNight } from '../../support/nightly.js'

/** A coordinator whose messages are kept, and sent to those that are connected. */
class Node {
  readonly sent: LiveNews[] = []
  readonly changes: Changes[] = []
  readonly grown: [number, number][] = []
  readonly watched: number[] = []
  missed = 0
  readonly others: Node[] = []
  /** Thrown by the next message. */
  failure: Error | undefined
  readonly peers: LivePeers
  private next = deferred<LiveNews>()

  constructor(readonly self: string) {
    const listener = {
      onChanged: (changes: Changes) => void this.changes.push(changes),
      onGrown: (jobId: number, size: number) => void this.grown.push([jobId, size]),
      onWatched: (jobIds: readonly number[]) => void this.watched.push(...jobIds),
      onAsked: () => this.peers.sendHeartbeat([5]),
      onMissed: () => void this.missed++,
    }
    this.peers = new LivePeers(
      {
        self,
        send: async (news) => this.send(news),
        readableSize: async ({ id }) => id * 100,
        logger: createLogger('test', 'silent'),
        retryAfter: 10,
      },
      listener,
    )
    onTestFinished(() => this.peers.stop())
  }

  /** The next message, from when it is called. */
  nextMessage(): Promise<LiveNews> {
    this.next = deferred()
    return this.next.promise
  }

  private send(news: LiveNews): void {
    const { failure } = this
    this.failure = undefined
    if (failure) throw failure
    this.sent.push(news)
    for (const other of this.others) other.peers.receive(this.self, news)
    this.next.resolve(news)
  }
}

function connected(): [Node, Node] {
  const [here, there] = [new Node('here'), new Node('there')]
  here.others.push(there)
  there.others.push(here)
  return [here, there]
}

test('without streams elsewhere, changes are not sent', async () => {
  const [here, there] = connected()
  here.peers.changed({ jobs: [1] })
  here.peers.grown({ id: 5, project_id: 1 })
  const heartbeat = there.nextMessage()
  there.peers.sendHeartbeat([])
  await heartbeat
  expect(here.sent).toEqual([])
})

test('a coordinator with streams receives changes, and those of logs that it reads', async () => {
  const [here, there] = connected()
  const response = here.nextMessage()
  there.peers.sendHeartbeat([5])
  // What happened before is not sent: it is read from the store.
  expect(await response).toEqual({ missedBy: 'there' })
  expect([there.missed, here.watched]).toEqual([1, [5]])
  const message = here.nextMessage()
  here.peers.changed({ jobs: [1], pipelines: [2] })
  here.peers.changed({ jobs: [3], deletedPipelines: [{ id: 4, project_id: 9 }], todosOf: [7] })
  here.peers.grown({ id: 5, project_id: 1 })
  here.peers.grown({ id: 6, project_id: 1 })
  const changed = { jobs: [1, 3], pipelines: [2], deletedPipelines: [{ id: 4, project_id: 9 }], todosOf: [7] }
  expect(await message).toEqual({ changed, grown: [[5, 500]] })
  expect([there.changes, there.grown]).toEqual([[changed], [[5, 500]]])
  const again = there.nextMessage()
  there.peers.sendHeartbeat([5])
  await again
  expect(there.missed).toBe(1)
})

testAtNight('a log that grows fast is reported at most every 100 ms', async () => {
  const [here, there] = connected()
  const response = here.nextMessage()
  there.peers.sendHeartbeat([5])
  await response
  const started = Date.now()
  for (let count = 0; count < 3; count++) {
    const message = here.nextMessage()
    here.peers.grown({ id: 5, project_id: 1 })
    await message
  }
  expect(Date.now() - started).toBeGreaterThanOrEqual(195)
})

test('many changes are sent in messages that are short enough', async () => {
  const [here, there] = connected()
  const response = here.nextMessage()
  there.peers.sendHeartbeat([])
  await response
  const ids = Array.from({ length: 1000 }, (_, index) => 100_000_000_000_000 + index)
  here.peers.changed({
    jobs: ids,
    pipelines: ids,
    deletedPipelines: ids.map((id) => ({ id, project_id: id })),
    deletedPlanned: ids.map((id) => ({ kind: 'merge-request', id, project_id: id, confidential: false })),
  })
  const message = here.nextMessage()
  await message
  await here.peers.stop()
  expect(here.sent.every((news) => JSON.stringify(news).length < 7900)).toBe(true)
  expect(there.changes.flatMap(({ jobs = [] }) => jobs)).toEqual(ids)
  expect(there.changes.flatMap(({ deletedPipelines = [] }) => deletedPipelines)).toHaveLength(1000)
  expect(there.changes.flatMap(({ deletedPlanned = [] }) => deletedPlanned)).toHaveLength(1000)
})

test('a coordinator that begins to listen learns of streams, and checks its own', async () => {
  const [here, there] = connected()
  const response = here.nextMessage()
  here.peers.onListening()
  expect(await response).toEqual({ asks: true })
  expect(here.missed).toBe(1)
  await here.nextMessage()
  expect(here.watched).toEqual([5])
  expect(there.missed).toBe(1)
})

test('after a message that could not be sent, the others check what they have', async () => {
  const [here, there] = connected()
  const response = here.nextMessage()
  there.peers.sendHeartbeat([])
  await response
  here.failure = new Error('no database')
  const sent = here.nextMessage()
  here.peers.changed({ jobs: [1] })
  expect(await sent).toEqual({ missedBy: '*' })
  expect(there.missed).toBe(2)
})
