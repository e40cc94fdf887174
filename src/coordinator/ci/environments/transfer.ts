import { Type } from 'typebox'

import { inPages } from '../../database/in-pages.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { optional } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'
import { updateEnvironment } from '../engine/deployments/environment-store.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { createEnvironment } from './environments.js'
import { NewEnvironment } from './schema.js'

const { name, external_url, tier, description, auto_stop_setting } = NewEnvironment.properties
const Transferred = Type.Object({
  name,
  external_url,
  tier,
  description,
  auto_stop_setting,
  state: optional(OneOf('available', 'stopped'), 'Whether it is in use.'),
})

/** Environments without their deployments, because the jobs of those are not exported. */
export function environmentPart(engine: EngineDeps): TransferPart {
  return transferPart({
    name: 'environments',
    schema: Transferred,
    read: async function* ({ id }) {
      for await (const row of environmentsOf(engine, id)) {
        const { name, external_url, tier, description, auto_stop_setting, state } = row
        yield {
          name,
          tier,
          auto_stop_setting,
          external_url: external_url ?? undefined,
          description: description ?? undefined,
          state: state === 'available' ? ('available' as const) : ('stopped' as const),
        }
      }
    },
    identityOf: ({ name }) => name,
    write: async ({ project }, { state, ...environment }) => {
      const { id } = await createEnvironment(engine, project, environment)
      if (state === 'stopped') await updateEnvironment(engine.database, id, { state })
    },
  })
}

function environmentsOf({ database }: EngineDeps, projectId: number) {
  return inPages(
    database.selectFrom('environment').selectAll().where('project_id', '=', projectId),
    'environment',
  )
}
