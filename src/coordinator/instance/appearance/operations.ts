import { findAppearance } from '../../database/stores/appearance-store.js'
import { type Operation, operation } from '../../http/operation.js'
import { type AppearanceDeps, changeAppearance, presentAppearance } from './appearance.js'
import { AppearanceRecord, EditAppearance } from './schema.js'

/** What administrators choose for the looks of the pages (API, L1a). */
export function appearanceOperations(deps: AppearanceDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /application/appearance', {
      summary: 'Get the appearance of the instance',
      access: 'administrator',
      responses: { 200: AppearanceRecord },
      run: async () => presentAppearance(await findAppearance(database)),
    }),
    operation('PUT /application/appearance', {
      summary: 'Change the appearance of the instance',
      access: 'administrator',
      params: EditAppearance,
      changes: {
        attributes: Object.keys(AppearanceRecord.properties),
        before: async () => presentAppearance(await findAppearance(database)),
      },
      responses: { 200: AppearanceRecord },
      run: ({ params }) => changeAppearance(deps, params),
    }),
  ]
}
