import type { Selectable } from 'kysely'

import type { LabelTable } from '../../../database/tables/labels.js'
import { hookTime } from './hook-times.js'

/** API, K4. */
export function labelBlocks(labels: readonly Selectable<LabelTable>[]) {
  return labels.map(({ name, created_at, updated_at, ...label }) => ({
    ...label,
    title: name,
    created_at: hookTime(created_at),
    updated_at: hookTime(updated_at),
    template: false,
    type: label.project_id === null ? 'GroupLabel' : 'ProjectLabel',
  }))
}
