import { Type } from 'typebox'

import { OWNER } from '../../access/access-levels.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { createSchedule } from './schedules.js'
import { NewSchedule } from './schema.js'
import { schedulesOf } from './store.js'

const { description, ref, cron, cron_timezone, inputs } = NewSchedule.properties
const Transferred = Type.Object({ description, ref, cron, cron_timezone, inputs })

/**
 * Pipeline schedules without their variables. The importing user becomes their owner, and they are inactive
 * until a user activates them, so that the old and the new instance do not both run them.
 */
export function schedulePart(engine: EngineDeps): TransferPart {
  const deps = { engine, onScheduled: () => undefined }
  return transferPart({
    name: 'pipeline_schedules',
    schema: Transferred,
    read: async function* ({ id }) {
      for (const row of await schedulesOf(engine.database, id).selectAll().orderBy('id').execute()) {
        const { description, ref, cron, cron_timezone, inputs } = row
        const named = Object.entries(inputs).map(([name, value]) => ({ name, value }))
        yield { description, ref, cron, cron_timezone, inputs: named }
      }
    },
    identityOf: ({ description, ref, cron }) => [description, ref, cron],
    write: ({ project, importer }, schedule) =>
      createSchedule(deps, project, { user: importer, accessLevel: OWNER }, { ...schedule, active: false }),
  })
}
