import type { AuditEvent } from '../database/tables/audit-events.js'
import type { AuditTrail } from '../http/audit-operation.js'
import type { Changes } from './changes.js'

/** Stores audit events, and passes on which projects and runners they are about. */
export function observedTrail(trail: AuditTrail, onChanged: (changes: Changes) => void): AuditTrail {
  return {
    begin: trail.begin,
    finish: async (intent, events) => {
      await trail.finish(intent, events)
      for (const event of events) onChanged(changesOf(event))
    },
  }
}

/** Settings of a project, or its state, but not the objects in it. */
const OF_PROJECT = /^\w+ \/projects\/:id(\/(archive|unarchive|restore|transfer|avatar))?$/
const OF_RUNNER = /^\w+ \/((projects|groups)\/:id|user)?\/?runners(\/(?!reset_registration_token)|$)/

function changesOf({ entity_type, entity_id, details }: AuditEvent): Changes {
  const { operation, target_id } = details
  if (typeof operation !== 'string') return {}
  if (OF_RUNNER.test(operation)) return typeof target_id === 'number' ? { runners: [target_id] } : {}
  return entity_type === 'Project' && OF_PROJECT.test(operation) ? { projects: [entity_id] } : {}
}
