import { Type } from 'typebox'

import type { SecretBox } from '../../crypto/secret-box.js'
import type { Database } from '../../database/connect.js'
import type { Transaction } from '../../database/transaction.js'
import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { signedIn } from '../../http/viewer.js'
import { clientToken } from './client-token.js'
import { createFlag, editFlag, requireFlag } from './feature-flags.js'
import { presentFlags } from './present.js'
import {
  EditFeatureFlag,
  FeatureFlag,
  FeatureFlagClient,
  FeatureFlagName,
  ListFeatureFlags,
  NewFeatureFlag,
} from './schema.js'
import { deleteFlagRow, type FlagRow, listFlags } from './store.js'
import { unleashOperations } from './unleash-operations.js'
import { userListOperations } from './user-list-operations.js'

export interface FeatureFlagDeps {
  database: Database
  secrets: SecretBox
  /** Public address without a trailing slash. */
  externalUrl: string
  /** Called in the transaction in which a user turns a flag on or off. */
  onSwitched: (tx: Transaction, change: { flag: FlagRow; userId: number }) => Promise<void>
}

/** Feature flags, lists of users for them, and what applications read (API, I9). */
export function featureFlagOperations(deps: FeatureFlagDeps): Operation[] {
  return [...flagOperations(deps), ...userListOperations(deps.database), ...unleashOperations(deps)]
}

function flagOperations(deps: FeatureFlagDeps): Operation[] {
  const { database, externalUrl } = deps
  const one = async (row: FlagRow) => (await presentFlags(database, [row]))[0]
  return [
    operation('GET /projects/:id/feature_flags', {
      summary: 'List the feature flags of a project',
      access: 'manage_feature_flags',
      params: ListFeatureFlags,
      responses: { 200: Type.Array(FeatureFlag) },
      paginated: true,
      run: async ({ project, params: { scope }, paging }) => {
        const isActive = scope === undefined ? undefined : scope === 'enabled'
        const { rows, total } = await listFlags(database, project.id, isActive, paging)
        return page(await presentFlags(database, rows), total)
      },
    }),
    operation('GET /projects/:id/feature_flags/:feature_flag_name', {
      summary: 'Get a feature flag',
      access: 'manage_feature_flags',
      params: FeatureFlagName,
      responses: { 200: FeatureFlag },
      run: async ({ project, params }) => one(await requireFlag(database, project, params.feature_flag_name)),
    }),
    operation('POST /projects/:id/feature_flags', {
      summary: 'Create a feature flag',
      access: 'manage_feature_flags',
      params: NewFeatureFlag,
      responses: { 201: FeatureFlag },
      run: async ({ project, params }) => one(await createFlag(database, project, params)),
    }),
    operation('PUT /projects/:id/feature_flags/:feature_flag_name', {
      summary: 'Update a feature flag',
      access: 'manage_feature_flags',
      params: EditFeatureFlag,
      responses: { 200: FeatureFlag },
      run: async ({ project, user, params }) => {
        const userId = signedIn(user).id
        const onSwitched = (tx: Transaction, flag: FlagRow) => deps.onSwitched(tx, { flag, userId })
        return one(await editFlag(database, project, onSwitched, params))
      },
    }),
    operation('DELETE /projects/:id/feature_flags/:feature_flag_name', {
      summary: 'Delete a feature flag',
      access: 'manage_feature_flags',
      params: FeatureFlagName,
      responses: { 200: FeatureFlag },
      modifiedAt: async ({ project, params }) =>
        (await requireFlag(database, project, params.feature_flag_name)).updated_at,
      run: async ({ project, params }) => {
        const row = await requireFlag(database, project, params.feature_flag_name)
        const record = await one(row)
        await deleteFlagRow(database, row.id)
        return record
      },
    }),
    operation('GET /projects/:id/feature_flags_client', {
      summary: 'Get what an application needs to read the feature flags of a project (beyond the reference)',
      access: 'manage_feature_flags',
      responses: { 200: FeatureFlagClient },
      run: async ({ project }) => ({
        api_url: `${externalUrl}/api/v4/feature_flags/unleash/${project.id}`,
        instance_id: await clientToken(deps, project.id),
      }),
    }),
  ]
}
