import type { Database } from '../../database/connect.js'
import { type TransferPart, transferPart } from '../../http/archive-part.js'
import { findPushRule, insertPushRule } from '../push-rule-store.js'
import { checked } from './operations.js'
import { SetPushRule } from './schema.js'

/** Import and export of push rules: at most one record. */
export function pushRulePart(database: Database): TransferPart {
  return transferPart({
    name: 'push_rules',
    schema: SetPushRule,
    async *read({ id }) {
      const rule = await findPushRule(database, { column: 'project_id', id })
      if (rule) yield pick(rule)
    },
    identityOf: (rule) => rule,
    write: ({ project }, rule) =>
      insertPushRule(database, { column: 'project_id', id: project.id }, checked(rule)),
  })
}

function pick(rule: SetPushRule): SetPushRule {
  const names = new Set(Object.keys(SetPushRule.properties))
  return Object.fromEntries(Object.entries(rule).filter(([name]) => names.has(name)))
}
