import { isoTime, isoTimeOrNull } from '../../http/presenters/present-time.js'
import type { EnvironmentRow } from '../engine/deployments/environment-store.js'
import type { EnvironmentSummary } from './schema.js'

export function presentEnvironment(row: EnvironmentRow): EnvironmentSummary {
  const { id, name, slug, external_url, tier, state, description, auto_stop_setting } = row
  return {
    id,
    name,
    slug,
    external_url,
    tier,
    state,
    description,
    auto_stop_setting,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
    auto_stop_at: isoTimeOrNull(row.auto_stop_at),
    kubernetes_namespace: null,
    flux_resource_path: null,
  }
}
