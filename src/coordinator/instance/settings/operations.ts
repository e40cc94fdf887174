import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { described, optional } from '../../http/parameters/described.js'
import { DateTime } from '../../http/parameters/types.js'
import { ATTRIBUTES } from './catalog.js'
import { FixedSetting } from './schema.js'
import { changeSettings, currentSettings, type SettingsDeps } from './settings.js'

const named = Object.entries(ATTRIBUTES).flatMap(([name, attribute]) =>
  [name, ...(attribute.aliases ?? [])].map((one) => [one, attribute] as const),
)

const SetSettings = Type.Object(
  Object.fromEntries(named.map(([name, { schema, description }]) => [name, optional(schema, description)])),
)

const Settings = Type.Object({
  id: described(Type.Integer(), 'Always 1.'),
  created_at: described(DateTime(), 'Time of the first start.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
  ...Object.fromEntries(
    named.map(([name, { schema, shownSchema, description }]) => [
      name,
      described(shownSchema ?? schema, description),
    ]),
  ),
})

/** What audit events may say. */
const SHOWN = Object.entries(ATTRIBUTES)
  .filter(([, { isSecret }]) => !isSecret)
  .map(([name]) => name)

/** Settings of the whole instance (API, L1). */
export function settingOperations(deps: SettingsDeps): Operation[] {
  return [
    operation('GET /application/settings', {
      summary: 'Get the settings of the instance',
      access: 'administrator',
      responses: { 200: Settings },
      run: () => currentSettings(deps),
    }),
    operation('GET /application/settings/fixed', {
      summary: 'List the settings that the configuration gives',
      access: 'administrator',
      responses: { 200: Type.Array(FixedSetting) },
      run: () => Promise.resolve(Object.entries(deps.fixed).map(([name, { key }]) => ({ name, key }))),
    }),
    operation('PUT /application/settings', {
      summary: 'Change settings of the instance',
      access: 'administrator',
      params: SetSettings,
      changes: { attributes: SHOWN, before: () => currentSettings(deps) },
      responses: { 200: Settings },
      run: ({ params }) => changeSettings(deps, params),
    }),
  ]
}
