import { randomUUID } from 'node:crypto'

import type { Selectable } from 'kysely'

import type { Database } from '../../../../src/coordinator/database/connect.js'
import type { WebHookTable } from '../../../../src/coordinator/database/tables/webhooks.js'
import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { EgressClient } from '../../../../src/coordinator/egress/egress-client.js'
import {
  type DeliveryTimings,
  DeliveryWorker,
  type DeliveryWorkerDeps,
} from '../../../../src/coordinator/integrations/webhooks/deliveries/delivery-worker.js'
import { hooksOfProject } from '../../../../src/coordinator/integrations/webhooks/hook-store.js'
import { createHook } from '../../../../src/coordinator/integrations/webhooks/hooks.js'
import { storeEvents } from '../../../../src/coordinator/integrations/webhooks/outbox/outbox.js'
import type { NewHook } from '../../../../src/coordinator/integrations/webhooks/schema.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { type OpenDatabase, openSqlite } from '../../../support/databases.js'
import { onFinished } from '../../../support/lifetime.js'
import { testSecrets } from '../../support/test-app.js'

const QUICK: DeliveryTimings = { lease: 60_000, retries: [1, 1, 1], rest: 1 }

/** A store with a project, hooks and workers that deliver to them, without the rest of a coordinator. */
export class HookDesk {
  readonly secrets = testSecrets()
  readonly egress = new EgressClient({ allowLocalNetwork: true })
  readonly systemEgress = this.egress

  private constructor(
    readonly database: Database,
    readonly projectId: number,
  ) {}

  static async open(open: OpenDatabase = openSqlite): Promise<HookDesk> {
    const { database } = await open()
    const desk = new HookDesk(database, await insertProject(database))
    onFinished(() => desk.egress.close())
    return desk
  }

  addHook(url: string, more: Partial<NewHook> = {}): Promise<Selectable<WebHookTable>> {
    return createHook(this, { projectId: this.projectId }, { url, ...more })
  }

  /** Adds a hook of the group of the project. */
  async addGroupHook(url: string): Promise<Selectable<WebHookTable>> {
    const { namespace_id: groupId } = await this.database
      .selectFrom('project')
      .select('namespace_id')
      .where('id', '=', this.projectId)
      .executeTakeFirstOrThrow()
    return createHook(this, { groupId }, { url })
  }

  /** Writes plain push events that say which they are: `{"number":1}`. */
  async happen(...numbers: number[]): Promise<void> {
    await inTransaction(this.database, async (tx) => {
      const hooks = await hooksOfProject(tx, this.projectId)
      const { projectId } = this
      await storeEvents(
        tx,
        numbers.map((number) => ({
          ...({ projectId, trigger: 'push_events', kind: 'plain', facts: { number }, hooks } as const),
        })),
      )
    })
  }

  /** A worker as another coordinator has it; it runs until the function is called, or the test is over. */
  startWorker(more: Partial<DeliveryWorkerDeps> = {}): () => Promise<void> {
    const stopping = new AbortController()
    const running = this.worker(more).run(stopping.signal)
    const stop = async (): Promise<void> => {
      stopping.abort()
      await running
    }
    onFinished(stop)
    return stop
  }

  worker(more: Partial<DeliveryWorkerDeps> = {}): DeliveryWorker {
    return new DeliveryWorker({
      database: this.database,
      secrets: this.secrets,
      egress: this.egress,
      systemEgress: this.systemEgress,
      sender: { externalUrl: 'http://switchyard.example', version: '1.2.3' },
      render: async ({ facts }) => facts,
      integrationMessages: async (_integrationId, { payload }) => [{ kind: 'payload', body: payload }],
      logger: createLogger('test', 'silent'),
      timings: QUICK,
      ...more,
    })
  }

  hook(id: number): Promise<Selectable<WebHookTable>> {
    return this.database.selectFrom('web_hook').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  }

  log(hookId: number) {
    return this.database
      .selectFrom('hook_log')
      .selectAll()
      .where('hook_id', '=', hookId)
      .orderBy('id')
      .execute()
  }

  waiting() {
    return this.database.selectFrom('hook_delivery').selectAll().orderBy('id').execute()
  }
}

async function insertProject(database: Database): Promise<number> {
  const times = { created_at: 1, updated_at: 1, last_activity_at: 1 }
  const user = await database
    .insertInto('user')
    .values({
      username: 'ann',
      name: 'Ann',
      email: 'ann@example.com',
      state: 'active',
      is_admin: false,
      created_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const namespace = await database
    .insertInto('namespace')
    .values({
      kind: 'group',
      name: 'g',
      path: 'g',
      full_path: 'g',
      visibility: 'private',
      created_at: 1,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const tree = { group_id: namespace.id, ancestor_id: namespace.id }
  await database.insertInto('group_tree').values(tree).execute()
  const project = await database
    .insertInto('project')
    .values({
      ...times,
      namespace_id: namespace.id,
      creator_id: user.id,
      visibility: 'private',
      name: 'p',
      path: 'p',
      full_path: 'g/p',
      runners_token_digest: randomUUID(),
      runners_token_encrypted: '',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return project.id
}
